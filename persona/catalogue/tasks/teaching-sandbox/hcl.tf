# snippet:doc https://developer.hashicorp.com/terraform/language/meta-arguments/for_each The for_each meta-argument
# snippet:description A container for each name in a list, without a network and with a limit on memory. The home folder is kept in
# snippet:description memory, and whatever else a student writes goes with the container.
# snippet:about Terraform
terraform {
  required_providers {
    docker = { source = "kreuzwerker/docker" }
  }
}

variable "students" {
  type    = set(string)
  default = ["ada", "grace", "linus"]
}

resource "docker_image" "python" { name = "python:3.13-slim" }

# A machine for each student; after the course: terraform destroy.
resource "docker_container" "desk" {
  for_each = var.students

  name         = "desk-${each.key}"
  image        = docker_image.python.image_id # its id: another image makes a new container
  command      = ["sleep", "infinity"]
  network_mode = "none" # nothing gets out, nothing gets in
  memory       = 512    # MiB
  cpu_shares   = 256
  user         = "1000:1000"
  working_dir  = "/home/student"
  env          = ["HOME=/home/student"] # user 1000 is not in the image: its home would be /
  tmpfs        = { "/home/student" = "size=64m,uid=1000" }
}

output "desks" {
  value = { for name in var.students : name => "docker exec -it desk-${name} bash" }
}
