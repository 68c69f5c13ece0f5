# snippet:doc https://developer.hashicorp.com/terraform/language/expressions/references References
# snippet:description Order a certificate and prove by DNS records that the name is yours. The records stay, so that the
# snippet:description certificate renews itself while it is in use; a changed one is there before the old one goes.
# snippet:title A certificate that is proved by DNS
variable "zone_id" { type = string }
# snippet:about Terraform
# snippet:about AWS

resource "aws_acm_certificate" "site" {
  domain_name       = "www.example.com"
  validation_method = "DNS"

  lifecycle {
    create_before_destroy = true # the old one serves until the new one is there
  }
}

# The records that prove that the name is ours; renewal uses them again.
resource "aws_route53_record" "proof" {
  for_each = {
    for option in aws_acm_certificate.site.domain_validation_options : option.domain_name => option
  }

  zone_id = var.zone_id
  name    = each.value.resource_record_name
  type    = each.value.resource_record_type
  records = [each.value.resource_record_value]
  ttl     = 300
}

resource "aws_acm_certificate_validation" "site" { # waits until the proof was seen
  certificate_arn         = aws_acm_certificate.site.arn
  validation_record_fqdns = [for record in aws_route53_record.proof : record.fqdn]
}
