import { createHmac, randomBytes } from 'node:crypto'
import type { Cipher } from '../../ports/secrets.js'
import type { WebhookRecord } from '../../ports/webhook-stores.js'

type WebhookId = Pick<WebhookRecord, 'organizationId' | 'id'>

export type SigningWebhook = WebhookId &
  Pick<WebhookRecord, 'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretExpiresAt'>

const prefix = 'whsec_'

/** Returns a new secret in the format of Standard Webhooks. */
export function newSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

/** The sealing context of a webhook's secret. The secret cannot be opened in another context. */
export function secretContext({ organizationId, id }: WebhookId): string {
  return `webhook/${organizationId}/${id}/secret`
}

/**
 * Returns the headers that authenticate a delivery (Standard Webhooks). The signature includes the current
 * time, because receivers reject signatures that are minutes old. The previous secret is also used for
 * signing until it expires.
 */
export function signatureHeaders(
  cipher: Cipher,
  webhook: SigningWebhook,
  { messageId, body, at }: { readonly messageId: string; readonly body: string; readonly at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = goodSecrets(webhook, at).map((sealed) => {
    const secret = cipher.open(sealed, secretContext(webhook))
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

function goodSecrets(
  { sealedSecret, sealedPreviousSecret, previousSecretExpiresAt }: SigningWebhook,
  at: Date,
): readonly string[] {
  if (sealedPreviousSecret === null || previousSecretExpiresAt === null) return [sealedSecret]
  return Date.parse(previousSecretExpiresAt) > at.getTime()
    ? [sealedSecret, sealedPreviousSecret]
    : [sealedSecret]
}
