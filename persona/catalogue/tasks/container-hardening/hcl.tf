# snippet:doc https://registry.terraform.io/providers/kreuzwerker/docker/latest/docs/resources/container docker_container
# snippet:about Terraform
terraform {
  required_providers {
    docker = { source = "kreuzwerker/docker" }
  }
}

resource "docker_container" "api" {
  name      = "api"
  image     = docker_image.api.image_id
  user      = "10001:10001" # not root
  read_only = true          # the image's files cannot be changed
  restart   = "unless-stopped"
  memory    = 256 # MiB

  capabilities {
    drop = ["ALL"]
  }
  security_opts = ["no-new-privileges:true"]
  tmpfs         = { "/tmp" = "size=16m,noexec,nosuid" }

  ports {
    internal = 8080
    external = 8080
    ip       = "127.0.0.1" # for the proxy on this host
  }
}

resource "docker_image" "api" {
  name = "registry.example.com/api:2.3.1"
}
