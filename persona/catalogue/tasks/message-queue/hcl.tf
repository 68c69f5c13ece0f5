# snippet:doc https://developer.hashicorp.com/terraform/language/functions/jsonencode The jsonencode function
# snippet:about Terraform
# snippet:about AWS
variable "on_call_topic_arn" { type = string } # an SNS topic that reaches people

resource "aws_sqs_queue" "failed" {
  name                      = "readings-failed"
  message_retention_seconds = 14 * 24 * 3600 # two weeks
}

resource "aws_sqs_queue" "readings" {
  name                       = "readings"
  visibility_timeout_seconds = 60 # longer than a consumer needs for one message

  # What failed five times waits elsewhere, and does not come back again and again.
  redrive_policy = jsonencode({ deadLetterTargetArn = aws_sqs_queue.failed.arn, maxReceiveCount = 5 })
}

# Somebody looks at them: the first failed message calls.
resource "aws_cloudwatch_metric_alarm" "failed" {
  alarm_name          = "readings-failed"
  namespace           = "AWS/SQS"
  metric_name         = "ApproximateNumberOfMessagesVisible"
  dimensions          = { QueueName = aws_sqs_queue.failed.name }
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 60
  evaluation_periods  = 1
  treat_missing_data  = "notBreaching" # an idle queue sends no metric
  alarm_actions       = [var.on_call_topic_arn]
}
