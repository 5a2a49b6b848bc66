import { z } from 'zod'
import { createSchema, type ZodOpenApiOperationObject, type ZodOpenApiPathItemObject } from 'zod-openapi'
import { webhookEvent } from './examples/webhook-examples.js'
import { webhookEnvelope, webhookEventShapes } from './webhook-event.js'
import { type WebhookEventType, webhookEventNames, webhookEventTypes } from './webhook-event-types.js'

const headers = z.object({
  'webhook-id': z
    .string()
    .describe(
      'The ID of the message. It is the same for every attempt and redelivery, so use it to discard duplicates.',
    ),
  'webhook-timestamp': z.string().describe('When this attempt was made, as a Unix timestamp in seconds.'),
  'webhook-signature': z
    .string()
    .describe(
      'The signature: `v1,` followed by the base64-encoded HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. During a secret rotation, the header contains two signatures separated by a space.',
    ),
})

/** Describes the requests that the service sends to webhooks, for the OpenAPI document. */
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
          'Return a 2xx status to accept the event. The service retries after any other response, and if there is no response within 10 seconds.',
      },
      '410': {
        description: 'Return 410 if the endpoint no longer exists. The service then disables the webhook.',
      },
    },
  }
}

/** Returns the schema of an event. It references the response schemas, because an event carries the same resource that the API returns. */
function bodySchema(type: WebhookEventType) {
  return {
    type: 'object' as const,
    properties: {
      type: { const: type, description: 'The event type.' },
      ...propertiesOf(webhookEnvelope),
      data: dataSchema(type),
    },
    required: ['type', ...Object.keys(webhookEnvelope), 'data'],
  }
}

function dataSchema(type: WebhookEventType) {
  const { resource, extraFields } = webhookEventShapes[type]
  const name = z.globalRegistry.get(resource)?.id
  const description = 'The resource. If the webhook has `payload: "ids"`, only its IDs and version.'
  if (name === undefined)
    return { type: 'object' as const, description, properties: propertiesOf(resource.shape) }
  const properties = propertiesOf(extraFields)
  const added = Object.keys(properties).length > 0 ? [{ type: 'object' as const, properties }] : []
  return { description, allOf: [{ $ref: `#/components/schemas/${name}` }, ...added] }
}

const propertiesOf = (fields: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, createSchema(field).schema]))
