# snippet:doc https://developer.hashicorp.com/terraform/language/functions/cidrsubnet The cidrsubnet function
# snippet:why What cannot be reached from outside is harder to attack.
# snippet:description A network with a private subnet in each zone, where nothing gets a public address by itself. There is no way
# snippet:description to the internet yet, and the security group for the web lets in HTTPS and nothing else.
# snippet:about Terraform
# snippet:about AWS
variable "zones" {
  type    = list(string)
  default = ["eu-central-1a", "eu-central-1b"]
}

resource "aws_vpc" "main" {
  cidr_block = "10.20.0.0/16"
  tags       = { Name = "main" }
}

# One private network for each zone; nothing in them gets a public address by itself.
resource "aws_subnet" "private" {
  for_each = { for index, zone in var.zones : zone => index }

  vpc_id            = aws_vpc.main.id
  availability_zone = each.key
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 8, each.value)
  tags              = { Name = "private-${each.key}" }
}

resource "aws_security_group" "web" { vpc_id = aws_vpc.main.id }

resource "aws_vpc_security_group_ingress_rule" "https" { # the only way in
  security_group_id = aws_security_group.web.id
  ip_protocol       = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_ipv4         = "0.0.0.0/0"
}
