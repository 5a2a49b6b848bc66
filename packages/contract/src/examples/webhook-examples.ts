import type { z } from 'zod'
import type { CreatedWebhook, Webhook } from '../webhook.js'
import type { WebhookDelivery, WebhookRedeliveryCount } from '../webhook-delivery.js'
import { approval } from './conversation-examples.js'
import { ids, times } from './hotel.js'

const failedAttempt = {
  at: '2026-11-15T09:04:12.611Z',
  durationMilliseconds: 38,
  responseStatus: 502,
  responseBody: 'Bad Gateway',
  detail: 'The receiver returned 502.',
}

const lastAttempt = {
  at: '2026-11-15T09:04:17.203Z',
  durationMilliseconds: 41,
  responseStatus: 204,
  responseBody: '',
  detail: 'The receiver accepted the delivery.',
}

export const webhook: Webhook = {
  id: ids.webhook,
  ...times('2026-11-02T09:10:00.000Z'),
  name: 'Booking system',
  url: 'https://booking.example.com/parley',
  events: ['approval.waiting', 'turn.ended'],
  agentIds: [],
  payload: 'full',
  isEnabled: true,
  externalId: null,
  managedBy: null,
  disabledReason: null,
  failingSince: null,
  previousSecretExpiresAt: null,
  waitingCount: 0,
  lastDelivery: {
    id: ids.delivery,
    type: 'approval.waiting',
    state: 'delivered',
    at: lastAttempt.at,
    responseStatus: lastAttempt.responseStatus,
    detail: lastAttempt.detail,
  },
}

export const createdWebhook: z.output<typeof CreatedWebhook> = {
  ...webhook,
  waitingCount: 0,
  lastDelivery: null,
  secret: 'whsec_<44 more characters>',
}

export const webhookEvent = {
  type: 'approval.waiting',
  timestamp: '2026-11-15T09:04:12.503Z',
  organizationId: ids.organization,
  isShortened: false,
  data: {
    ...approval,
    ...times('2026-11-15T09:04:12.503Z'),
    state: 'waiting',
    decidedBy: null,
    decidedAt: null,
    reason: null,
    version: 1,
  },
}

export const webhookDelivery: WebhookDelivery = {
  id: ids.delivery,
  ...times('2026-11-15T09:04:12.503Z', '2026-11-15T09:04:17.244Z'),
  webhookId: ids.webhook,
  messageId: ids.event,
  type: 'approval.waiting',
  state: 'delivered',
  body: JSON.stringify(webhookEvent),
  attemptCount: 2,
  nextAttemptAt: null,
  endedAt: '2026-11-15T09:04:17.244Z',
  attempts: [lastAttempt, failedAttempt],
}

/** The same delivery after a redelivery was requested. */
export const redelivery: WebhookDelivery = {
  ...webhookDelivery,
  updatedAt: '2026-11-15T11:30:00.000Z',
  state: 'pending',
  attemptCount: 0,
  nextAttemptAt: '2026-11-15T11:30:00.000Z',
  endedAt: null,
}

export const redeliveryCount: z.output<typeof WebhookRedeliveryCount> = { count: 17 }
