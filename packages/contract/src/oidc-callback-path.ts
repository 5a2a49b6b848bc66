import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'

/** The path to which the identity provider redirects the browser. It only returns redirects, so it is not a regular operation. */
export const oidcCallbackPath = '/api/v1/SignIn/oidc/callback'

export const oidcCallback: ZodOpenApiPathsObject = {
  [oidcCallbackPath]: {
    get: {
      operationId: 'finishOidc',
      tags: ['Me'],
      summary: 'Complete the sign-in with the identity provider',
      description:
        'The redirect URI to register with the identity provider. Only browsers call it. It requires the cookie of the browser in which the sign-in was started, and removes this cookie.',
      security: [],
      requestParams: {
        query: z.looseObject({
          state: z.string().optional().describe('The ID of the sign-in attempt.'),
          code: z
            .string()
            .optional()
            .describe('The authorization code that the service exchanges for tokens.'),
          error: z
            .string()
            .optional()
            .describe('The error code of the identity provider, if it rejected the sign-in.'),
        }),
      },
      responses: {
        '302': {
          description:
            'Redirects to `returnTo` if the sign-in succeeded, and to `/#/sign-in?error=<error code>` if it failed.',
          headers: {
            Location: { description: 'The URL to redirect to, on this service.', schema: { type: 'string' } },
          },
        },
      },
    },
  },
}
