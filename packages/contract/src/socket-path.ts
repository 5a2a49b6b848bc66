import { z } from 'zod'
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { id } from './field.js'

/** The WebSocket's address, which needs no key and is therefore no operation like the others. */
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
          'Upgrades to a WebSocket; the one-time token is the only key. Called as a plain GET it answers why the token ' +
          'would be refused, or 426 while it is good, and consumes nothing.',
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
