import { z } from 'zod'
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { id } from './field.js'

/** The path of the WebSocket. It needs no API key, so it is not a regular operation. */
export function socketPath(problems: ReadonlyMap<number, ZodOpenApiResponseObject>): ZodOpenApiPathsObject {
  const problemResponses = Object.fromEntries(
    [400, 426, 429, 503].map((status) => [String(status), problems.get(status)]),
  ) as Record<string, ZodOpenApiResponseObject>
  return {
    '/api/v1/Agent/{agentId}/realtime': {
      get: {
        operationId: 'openRealtimeSocket',
        tags: ['RealtimeSession'],
        summary: 'Open the realtime WebSocket',
        description:
          'Upgrades the connection to a WebSocket. The one-time token is the only credential. A request without an upgrade does ' +
          'not consume the token. It returns 426 if the token is valid, and otherwise the error of the token.',
        security: [],
        requestParams: {
          path: z.object({ agentId: id().describe('The ID of the agent.') }),
          query: z.object({
            conversationId: id().describe('The ID of the conversation of the session.'),
            sessionId: z.string().describe('The one-time session token.'),
          }),
        },
        responses: { '101': { description: 'The WebSocket is open.' }, ...problemResponses },
      },
    },
  }
}
