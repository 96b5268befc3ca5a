"""Single sign-on with an identity provider (OpenID Connect)."""
