# snippet:doc https://developer.hashicorp.com/terraform/language/functions/jsonencode The jsonencode function
resource "aws_sqs_queue" "failed" {
  name                      = "readings-failed"
  message_retention_seconds = 14 * 24 * 3600 # two weeks to look at them
}

resource "aws_sqs_queue" "readings" {
  name                       = "readings"
  visibility_timeout_seconds = 60
  sqs_managed_sse_enabled    = true

  # What failed five times waits elsewhere and does not block the rest.
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.failed.arn
    maxReceiveCount     = 5
  })
}

resource "aws_cloudwatch_metric_alarm" "failed" {
  alarm_name          = "readings-failed"
  namespace           = "AWS/SQS"
  metric_name         = "ApproximateNumberOfMessagesVisible"
  dimensions          = { QueueName = aws_sqs_queue.failed.name }
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 0
  period              = 300
  evaluation_periods  = 1
}
