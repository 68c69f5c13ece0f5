# snippet:doc https://developer.hashicorp.com/terraform/language/resources/syntax Resource blocks
# snippet:description Start PostgreSQL for this machine only, with a health check and a volume. The schema and the sample data are
# snippet:description loaded on the first start only.
# snippet:about Terraform
terraform {
  required_providers {
    docker = { source = "kreuzwerker/docker" }
  }
}

resource "docker_volume" "data" { name = "dev-database" }

resource "docker_image" "postgres" { name = "postgres:17.5-alpine" }

resource "docker_container" "database" {
  name    = "dev-database"
  image   = docker_image.postgres.image_id # its id: another image makes a new container
  restart = "unless-stopped"
  env     = ["POSTGRES_HOST_AUTH_METHOD=trust"] # only for this machine

  ports {
    internal = 5432
    external = 5432
    ip       = "127.0.0.1"
  }
  volumes {
    volume_name    = docker_volume.data.name
    container_path = "/var/lib/postgresql/data"
  }
  upload { # schema and sample data, loaded on the first start: after an error in them, delete the volume
    file   = "/docker-entrypoint-initdb.d/schema.sql"
    source = "${path.module}/schema.sql"
  }
  healthcheck {
    test     = ["CMD", "pg_isready", "-h", "localhost", "-U", "postgres"]
    interval = "2s"
    retries  = 15
  }
}
