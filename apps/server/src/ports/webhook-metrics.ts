/** What is counted of webhooks. */
export interface WebhookMetrics {
  /** An attempt to deliver has ended. */
  webhookAttempted(outcome: 'delivered' | 'failed' | 'gone'): void
}
