# snippet:doc https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs/resources/cron_job_v1 kubernetes_cron_job_v1
# snippet:about Terraform
# snippet:into Save it in a .tf file of the configuration, and set KUBE_CONFIG_PATH: terraform init, then terraform plan.
resource "kubernetes_cron_job_v1" "nightly_report" {
  metadata {
    name = "nightly-report"
  }
  spec {
    schedule                      = "30 3 * * *"
    timezone                      = "Etc/UTC"
    concurrency_policy            = "Forbid" # not started while the last run is under way
    starting_deadline_seconds     = 600
    successful_jobs_history_limit = 3
    job_template {
      metadata {}
      spec {
        backoff_limit           = 2
        active_deadline_seconds = 1800
        template {
          metadata {}
          spec {
            restart_policy = "Never"
            container {
              name  = "report"
              image = "registry.example.com/report:1.4.2"
            }
          }
        }
      }
    }
  }
}
