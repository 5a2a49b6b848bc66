import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'

/** Where the issuer sends browsers back to. It answers with redirects alone, and is therefore no operation like the others. */
export const oidcCallbackPath = '/api/v1/SignIn/oidc/callback'

export const oidcCallback: ZodOpenApiPathsObject = {
  [oidcCallbackPath]: {
    get: {
      operationId: 'finishOidc',
      tags: ['Me'],
      summary: 'Come back from the OIDC issuer',
      description:
        'For browsers alone: the address to register at the issuer. The cookie of whoever began is needed, and used up.',
      security: [],
      requestParams: {
        query: z.looseObject({
          state: z.string().optional().describe('What tells this signing in from others.'),
          code: z.string().optional().describe('What the issuer gives the tokens for.'),
          error: z.string().optional().describe('Why the issuer gives none.'),
        }),
      },
      responses: {
        '302': {
          description: 'Signed in, on to `returnTo`; or not, on to `/#/sign-in?error=<error code>`.',
          headers: {
            Location: { description: 'Where to go, on this service.', schema: { type: 'string' } },
          },
        },
      },
    },
  },
}
