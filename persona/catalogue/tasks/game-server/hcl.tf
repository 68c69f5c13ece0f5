# snippet:doc https://developer.hashicorp.com/terraform/language/resources/syntax Resource blocks
# snippet:about Terraform
terraform {
  required_providers {
    docker = { source = "kreuzwerker/docker" }
  }
}

variable "world" {
  type    = string
  default = "friends"
}

resource "docker_volume" "world" {
  name = "world-${var.world}"
  lifecycle { prevent_destroy = true } # or another name would delete the old world
}

resource "docker_image" "server" { name = "registry.example.com/voxel-server:5.11" }

resource "docker_container" "game" {
  name    = "game-${var.world}"
  image   = docker_image.server.image_id # its id: another image makes a new container
  restart = "on-failure"
  memory  = 2048 # MiB: a leak ends the server, not the machine
  env     = ["WORLD=${var.world}", "MAX_PLAYERS=8"]

  ports {
    internal = 30000
    external = 30000
    protocol = "udp"
  }
  volumes { # the world outlives the server
    volume_name    = docker_volume.world.name
    container_path = "/var/lib/game"
  }
}
