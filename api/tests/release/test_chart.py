"""The Helm chart, linted and rendered by Helm itself, as a library. It was never installed in a cluster here."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
import yaml

from lectern.settings import SECTIONS, variables_of
from versions import REPOSITORY

CHART = REPOSITORY / "deploy" / "helm" / "lectern"
GET_IT = "Helm as a library: `.lectern/venv/bin/pip install --require-hashes -r api/requirements-helm.lock`"
pytestmark = pytest.mark.needs(GET_IT)


def values(**changes: Any) -> dict[str, Any]:
    return {**yaml.safe_load((CHART / "ci" / "test-values.yaml").read_text(encoding="utf-8")), **changes}


@pytest.fixture(scope="module")
def helm() -> Any:
    if find_spec("helm_python") is None:
        pytest.skip(GET_IT)
    return import_module("helm_python")


def render(helm: Any, wanted: dict[str, Any]) -> list[dict[str, Any]]:
    with helm.Chart.load(str(CHART)) as chart:
        texts: dict[str, str] = chart.render(wanted, name="kb", namespace="prod")
    files = [text for name, text in texts.items() if name.endswith(".yaml")]
    return [document for text in files for document in yaml.safe_load_all(text) if document]


def pods_of(manifests: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for manifest in manifests:
        if manifest["kind"] in {"Deployment", "Job"}:
            yield manifest["metadata"]["name"], manifest["spec"]["template"]["spec"]


def test_helm_lints_the_chart_without_a_complaint(helm: Any) -> None:
    result = helm.lint(str(CHART), values(), strict=True)

    faults = [message for message in result["messages"] if "icon" not in message["error"]]
    assert faults == []


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"publicUrl": ""}, "publicUrl"),
        ({"database": {"existingSecret": ""}}, "/database/existingSecret"),
        ({"secrets": {"existingSecret": ""}}, "/secrets/existingSecret"),
        ({"storage": {"url": "file:///data"}}, "/storage/url"),
    ],
)
def test_what_is_missing_is_named(helm: Any, changes: dict[str, Any], named: str) -> None:
    errors = " ".join(helm.lint(str(CHART), values(**changes))["errors"])

    assert named in errors


def test_every_pod_runs_without_privileges_on_a_read_only_system(helm: Any) -> None:
    pods = dict(pods_of(render(helm, values())))

    assert pods.keys() == {"kb-api", "kb-worker", "kb-mcp", "kb-migrate"}
    for pod in pods.values():
        assert pod["securityContext"]["runAsNonRoot"]
        assert not pod["automountServiceAccountToken"]
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert not container["securityContext"]["allowPrivilegeEscalation"]
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]


def test_secrets_are_references_and_only_the_migration_knows_the_owner(helm: Any) -> None:
    secret = {
        "DATABASE_URL",
        "DATABASE_OWNER_URL",
        "JWT_SECRET_KEY",
        "BACKEND_API_KEY",
        "ADMIN_PASSWORD",
        "MCP_API_KEY",
    }
    given = {
        name: {entry["name"]: entry for entry in pod["containers"][0]["env"]}
        for name, pod in pods_of(render(helm, values()))
    }

    for variables in given.values():
        assert all("secretKeyRef" in variables[name]["valueFrom"] for name in secret & variables.keys())
    assert [name for name, variables in given.items() if "DATABASE_OWNER_URL" in variables] == ["kb-migrate"]
    assert not secret - {"BACKEND_API_KEY"} & given["kb-mcp"].keys()
    assert not secret - {"DATABASE_URL"} & given["kb-worker"].keys()


def test_the_backup_is_one_pod_with_the_owner_and_the_volume(helm: Any) -> None:
    kubernetes = import_module("kubernetes_validate")
    manifests = render(helm, values(backup={"existingClaim": "lectern-backups"}))
    (deployment,) = [one for one in manifests if (one["kind"], one["metadata"]["name"]) == ("Deployment", "kb-backup")]
    kubernetes.validate(deployment, kubernetes.latest_version(), strict=True)
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]

    assert (deployment["spec"]["replicas"], deployment["spec"]["strategy"]) == (1, {"type": "Recreate"})
    assert container["args"] == ["backup", "/backups/", "--schedule", "02:15", "--keep-daily", "7"]
    assert {"name": "backups", "mountPath": "/backups"} in container["volumeMounts"]
    assert {"name": "backups", "persistentVolumeClaim": {"claimName": "lectern-backups"}} in pod["volumes"]
    assert container["envFrom"] == [{"secretRef": {"name": "lectern-bucket"}}]
    assert {"DATABASE_URL", "DATABASE_OWNER_URL", "LECTERN_STORAGE_URL"} <= {one["name"] for one in container["env"]}
    assert container["securityContext"]["readOnlyRootFilesystem"]


def test_variables_of_the_api_and_the_workers_are_settings(helm: Any) -> None:
    known = {name for section in SECTIONS for name in variables_of(section)}
    pods = dict(pods_of(render(helm, values())))
    used = {
        entry["name"] for name in ("kb-api", "kb-worker", "kb-migrate") for entry in pods[name]["containers"][0]["env"]
    }

    assert used - known == set()


def test_services_scale_and_are_probed(helm: Any) -> None:
    manifests = render(helm, values())
    scaled = {one["spec"]["scaleTargetRef"]["name"] for one in manifests if one["kind"] == "HorizontalPodAutoscaler"}
    pods = dict(pods_of(manifests))

    assert scaled == {"kb-api", "kb-worker", "kb-mcp"}
    assert all("livenessProbe" in pods[name]["containers"][0] for name in scaled)
    assert pods["kb-api"]["containers"][0]["readinessProbe"]["httpGet"]["path"] == "/ready"


def test_the_mcp_service_reaches_the_api_only_and_nobody_reaches_a_worker(helm: Any) -> None:
    policies = {
        one["metadata"]["name"]: one["spec"] for one in render(helm, values()) if one["kind"] == "NetworkPolicy"
    }

    to_api, to_names = policies["kb-mcp"]["egress"]
    assert to_api["to"][0]["podSelector"]["matchLabels"]["app.kubernetes.io/component"] == "api"
    assert {port["port"] for port in to_names["ports"]} == {53}
    assert "ingress" not in policies["kb-worker"]


def test_metrics_and_disruption_budgets_are_optional(helm: Any) -> None:
    kubernetes = import_module("kubernetes_validate")
    optional = {"ServiceMonitor", "PodDisruptionBudget"}
    monitored = {"enabled": True, "serviceMonitor": {"enabled": True, "interval": "15s", "labels": {"release": "p"}}}
    manifests = render(helm, values(metrics=monitored, podDisruptionBudget={"enabled": True}))
    found = {kind: [one for one in manifests if one["kind"] == kind] for kind in (*optional, "Service", "Deployment")}
    jobs = {
        one["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]: one["spec"]["endpoints"][0]
        for one in found["ServiceMonitor"]
    }

    assert not optional & {one["kind"] for one in render(helm, values())}
    assert len(found["PodDisruptionBudget"]) == 3
    assert {name: endpoint["relabelings"][0]["replacement"] for name, endpoint in jobs.items()} == {
        "api": "lectern",
        "mcp": "lectern-mcp",
        "worker": "lectern-worker",
    }
    for monitor in found["ServiceMonitor"]:
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        assert len([one for one in found["Service"] if wanted <= one["metadata"]["labels"].items()]) == 1
    for deployment in found["Deployment"]:
        names = {entry["name"] for entry in deployment["spec"]["template"]["spec"]["containers"][0]["env"]}
        assert "LECTERN_METRICS_TOKEN" in names
    for manifest in manifests:
        if manifest["kind"] != "ServiceMonitor":  # of the Prometheus operator, not of Kubernetes
            kubernetes.validate(manifest, kubernetes.latest_version(), strict=True)


def test_replicas_are_fixed_without_autoscaling(helm: Any) -> None:
    fixed = {"replicas": 3, "autoscaling": {"enabled": False}, "resources": {"limits": {"memory": "1Gi"}}}
    manifests = render(helm, values(api=fixed))

    (api,) = [one for one in manifests if (one["kind"], one["metadata"]["name"]) == ("Deployment", "kb-api")]
    assert api["spec"]["replicas"] == 3
    assert ("HorizontalPodAutoscaler", "kb-api") not in {(one["kind"], one["metadata"]["name"]) for one in manifests}


def test_manifests_match_the_schemas_of_kubernetes(helm: Any) -> None:
    kubernetes = import_module("kubernetes_validate")

    manifests = render(helm, values())
    for manifest in manifests:
        kubernetes.validate(manifest, kubernetes.latest_version(), strict=True)
    with pytest.raises(kubernetes.ValidationError, match="unheard"):
        kubernetes.validate({**manifests[0], "unheard": 1}, kubernetes.latest_version(), strict=True)
