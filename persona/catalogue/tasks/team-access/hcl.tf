# snippet:doc https://developer.hashicorp.com/terraform/language/expressions/for For expressions
# snippet:why Who is in which group is a file that one can read.
# snippet:description Each person with the groups that they are in, turned round into the groups with their members. Joining and
# snippet:description leaving is a change of one line, reviewed like other code.
# snippet:about Terraform
# snippet:about AWS
locals {
  members = {
    ada = ["deploy", "read"]
    bob = ["read"]
    eve = ["read", "billing"]
  }

  # Turned around: who is in each group. The users are there already. Joining and leaving is a change of one line above;
  # a group in the list stays, with the rights that it has elsewhere, when its last member leaves.
  groups = {
    for group in toset(concat(["billing", "deploy", "read"], flatten(values(local.members)))) :
    group => [for person, of in local.members : person if contains(of, group)]
  }
}

resource "aws_iam_group" "role" {
  for_each = local.groups
  name     = each.key
}

resource "aws_iam_group_membership" "role" {
  for_each = local.groups
  name     = "${each.key}-members"
  group    = aws_iam_group.role[each.key].name
  users    = each.value
}

output "access" {
  value = local.groups
}
