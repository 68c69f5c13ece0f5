# snippet:doc https://developer.hashicorp.com/terraform/language/tests Terraform tests
# snippet:description Plan a configuration with test values and check what comes out: names carry the environment, and an
# snippet:description unknown environment is refused. Nothing is made.
# snippet:why A mistake is found before anything is changed.
# snippet:needs Terraform 1.6
# snippet:about Terraform
# snippet:title Test infrastructure code before it is applied
# snippet:into Save it as tests/naming.tftest.hcl of a configuration that has a variable "environment", with a validation, and a local value "name": terraform test
variables {
  environment = "staging"
}

run "names_carry_the_environment" {
  command = plan

  assert {
    condition     = startswith(local.name, "staging-")
    error_message = "the name is ${local.name}, without its environment in front"
  }
}

run "unknown_environments_are_refused" {
  command = plan

  variables {
    environment = "prod"
  }
  expect_failures = [var.environment]
}
