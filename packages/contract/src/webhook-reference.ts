import { z } from 'zod'
import { createSchema, type ZodOpenApiOperationObject, type ZodOpenApiPathItemObject } from 'zod-openapi'
import { webhookEvent } from './examples/webhook-examples.js'
import { webhookEnvelope, webhookEventShapes } from './webhook-event.js'
import { type WebhookEventType, webhookEventNames, webhookEventTypes } from './webhook-event-types.js'

const headers = z.object({
  'webhook-id': z.string().describe('The same on every attempt and redelivery. Discard duplicates.'),
  'webhook-timestamp': z.string().describe('When this attempt was made, in seconds since 1970.'),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. Two signatures separated by a space during a secret rotation.',
    ),
})

/** The webhook requests of the service, for the OpenAPI document. */
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
        description:
          'The receiver accepted the event. Any other answer, or none within 10 seconds, is retried.',
      },
      '410': { description: 'The receiver is gone. The webhook is disabled.' },
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
  const description = 'The resource. Only its ids and version if the webhook has `payload: "ids"`.'
  if (name === undefined)
    return { type: 'object' as const, description, properties: propertiesOf(resource.shape) }
  const properties = propertiesOf(besides)
  const added = Object.keys(properties).length > 0 ? [{ type: 'object' as const, properties }] : []
  return { description, allOf: [{ $ref: `#/components/schemas/${name}` }, ...added] }
}

const propertiesOf = (fields: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, createSchema(field).schema]))
