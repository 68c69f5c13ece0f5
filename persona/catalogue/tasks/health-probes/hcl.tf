# snippet:doc https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/ Kubernetes probes
# snippet:about Terraform
# snippet:into Save it in a .tf file of the configuration, and set KUBE_CONFIG_PATH: terraform init, then terraform plan.
resource "kubernetes_pod_v1" "api" {
  metadata {
    name = "api"
  }
  spec {
    container {
      name  = "api"
      image = "registry.example.com/api:2.3.1"

      startup_probe { # up to a minute to begin
        http_get {
          path = "/healthz"
          port = 8080
        }
        period_seconds    = 5
        failure_threshold = 12
      }
      readiness_probe { # busy or without its database: no traffic, but no restart
        http_get {
          path = "/readyz"
          port = 8080
        }
      }
      liveness_probe { # no good answer three times, ten seconds apart: start it anew
        # A port that is open proves little: the kernel accepts for a program that hangs.
        http_get {
          path = "/healthz"
          port = 8080
        }
        timeout_seconds = 5
      }
    }
  }
}
