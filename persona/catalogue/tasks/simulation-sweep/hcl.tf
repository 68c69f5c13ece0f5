# snippet:doc https://developer.hashicorp.com/terraform/language/functions/setproduct The setproduct function
# snippet:why The settings of each run stand in a file of their own.
# snippet:title List the runs of a simulation
# snippet:description List each parameter once, and write one file of settings for every combination. Each file is named after
# snippet:description its settings, and nothing is run yet.
# snippet:about Terraform
variable "parameters" {
  type = object({ seeds = set(number), temperatures = set(number) })
  default = {
    seeds        = [1, 2, 3]
    temperatures = [250, 300, 350]
  }
}

locals {
  # Every combination once, each with a name that says what it is.
  runs = {
    for pair in setproduct(var.parameters.seeds, var.parameters.temperatures) :
    "seed${pair[0]}-t${pair[1]}" => { seed = pair[0], temperature = pair[1] }
  }
}

resource "local_file" "run" {
  for_each = local.runs
  filename = "${path.module}/runs/${each.key}.json"
  content  = jsonencode(merge(each.value, { model = "argon", steps = 100000 }))
}

output "number_of_runs" {
  value = length(local.runs)
}
