import { z } from 'zod'
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { id } from './field.js'

/** The path of the WebSocket. It needs no key, so it is not an operation like the others. */
export function socketPath(problems: ReadonlyMap<number, ZodOpenApiResponseObject>): ZodOpenApiPathsObject {
  const answers = Object.fromEntries(
    [400, 426, 429, 503].map((status) => [String(status), problems.get(status)]),
  ) as Record<string, ZodOpenApiResponseObject>
  return {
    '/api/v1/Agent/{agentId}/realtime': {
      get: {
        operationId: 'openRealtimeSocket',
        tags: ['RealtimeSession'],
        summary: 'Open the realtime WebSocket',
        description:
          'Upgrades to a WebSocket. The one-time token is the only credential. A plain GET explains why the token ' +
          'would be rejected, or answers 426 if the token is valid. It does not consume the token.',
        security: [],
        requestParams: {
          path: z.object({ agentId: id().describe('The id of the agent.') }),
          query: z.object({
            conversationId: id().describe('The conversation of the session.'),
            sessionId: z.string().describe('The one-time token.'),
          }),
        },
        responses: { '101': { description: 'The socket is open.' }, ...answers },
      },
    },
  }
}
