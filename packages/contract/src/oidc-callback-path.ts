import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'

/** The path that the issuer redirects browsers to. It answers only with redirects, so it is not an operation like the others. */
export const oidcCallbackPath = '/api/v1/SignIn/oidc/callback'

export const oidcCallback: ZodOpenApiPathsObject = {
  [oidcCallbackPath]: {
    get: {
      operationId: 'finishOidc',
      tags: ['Me'],
      summary: 'Return from the OIDC issuer',
      description:
        'For browsers only: the redirect address to register at the issuer. It needs the cookie of the browser that began, and uses it up.',
      security: [],
      requestParams: {
        query: z.looseObject({
          state: z.string().optional().describe('Identifies this sign-in attempt.'),
          code: z.string().optional().describe('The code that the service exchanges for tokens.'),
          error: z.string().optional().describe('Why the issuer refused.'),
        }),
      },
      responses: {
        '302': {
          description:
            'Redirects to `returnTo` after a successful sign-in, otherwise to `/#/sign-in?error=<error code>`.',
          headers: {
            Location: { description: 'The next address on this service.', schema: { type: 'string' } },
          },
        },
      },
    },
  },
}
