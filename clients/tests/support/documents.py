"""The documents in the library of the tests."""

POLICY, TRAVEL = "aml-kyc-policy.pdf", "travel-and-expenses-policy.pdf"
