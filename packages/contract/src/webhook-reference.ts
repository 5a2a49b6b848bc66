import { z } from 'zod'
import { createSchema, type ZodOpenApiOperationObject, type ZodOpenApiPathItemObject } from 'zod-openapi'
import { webhookEvent } from './examples/webhook-examples.js'
import { webhookEnvelope, webhookEventShapes } from './webhook-event.js'
import { type WebhookEventType, webhookEventNames, webhookEventTypes } from './webhook-event-types.js'

const headers = z.object({
  'webhook-id': z
    .string()
    .describe('The same on every attempt and every redelivery: drop what you have had.'),
  'webhook-timestamp': z.string().describe('When this attempt was made, in seconds since 1970.'),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`; two of them with a space between while a secret is changed.',
    ),
})

/** What the service posts to webhooks, in the OpenAPI document. */
export function describeWebhooks(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(webhookEventNames.map((type) => [type, { post: describe(type) }]))
}

function describe(type: WebhookEventType): ZodOpenApiOperationObject {
  return {
    operationId: type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Webhook'],
    summary: webhookEventTypes[type],
    security: [],
    requestParams: { header: headers },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: bodySchema(type),
          ...(type === webhookEvent.type && { example: webhookEvent }),
        },
      },
    },
    responses: {
      '2XX': {
        description: 'The receiver has it. Any other answer, or none in 10 seconds: it is sent again.',
      },
      '410': { description: 'The receiver wants no more: the webhook is switched off.' },
    },
  }
}

/** By reference to what calls answer: the resource is the same, whichever way it comes. */
function bodySchema(type: WebhookEventType) {
  return {
    type: 'object' as const,
    properties: {
      type: { const: type, description: 'What happened.' },
      ...propertiesOf(webhookEnvelope),
      data: dataSchema(type),
    },
    required: ['type', ...Object.keys(webhookEnvelope), 'data'],
  }
}

function dataSchema(type: WebhookEventType) {
  const { resource, besides } = webhookEventShapes[type]
  const name = z.globalRegistry.get(resource)?.id
  const description = 'The resource; its ids and its version alone where the webhook has `payload: "ids"`.'
  if (name === undefined)
    return { type: 'object' as const, description, properties: propertiesOf(resource.shape) }
  const properties = propertiesOf(besides)
  const added = Object.keys(properties).length > 0 ? [{ type: 'object' as const, properties }] : []
  return { description, allOf: [{ $ref: `#/components/schemas/${name}` }, ...added] }
}

const propertiesOf = (fields: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, createSchema(field).schema]))
