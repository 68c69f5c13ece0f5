# snippet:doc https://developer.hashicorp.com/terraform/language/functions/merge The merge function
# snippet:about Terraform
# snippet:about AWS
locals {
  defaults = { interval_seconds = 60, firmware = "2.4.1", enabled = true }

  # Adding a device is adding a line.
  devices = {
    "greenhouse-1" = { group = "garden" }
    "greenhouse-2" = { group = "garden", interval_seconds = 10 }
    "lab-bench"    = { group = "lab", firmware = "2.5.0-rc1" }
  }

  settings = { for name, own in local.devices : name => merge(local.defaults, own) }
}

resource "aws_iot_thing" "device" {
  for_each   = local.settings
  name       = each.key
  attributes = { group = each.value.group, firmware = each.value.firmware }
}

resource "local_file" "settings" {
  for_each = local.settings
  filename = "${path.module}/out/${each.key}.json"
  content  = jsonencode(each.value)
}
