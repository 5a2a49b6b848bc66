import {
  OAuthClientInformationFullSchema,
  OAuthClientInformationSchema,
  OAuthMetadataSchema,
  OpenIdProviderDiscoveryMetadataSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { z } from 'zod'
import type { OAuthMemory } from '../../ports/mcp-oauth.js'

/** What is remembered of an issuer and of us as its client. */
export interface RememberedClient {
  readonly authorizationServerUrl: string
  readonly metadata: z.output<typeof Metadata>
  readonly client: z.output<typeof Client>
  readonly resource: string | null
  readonly redirectUri: string
  readonly codeVerifier: string
}

const Metadata = z.union([OAuthMetadataSchema, OpenIdProviderDiscoveryMetadataSchema])
const Client = z.union([OAuthClientInformationFullSchema, OAuthClientInformationSchema])

const Remembered = z.object({
  authorizationServerUrl: z.string(),
  metadata: Metadata,
  client: Client,
  resource: z.string().nullable(),
  redirectUri: z.string(),
  codeVerifier: z.string(),
})

export const remember = (client: RememberedClient): OAuthMemory => JSON.stringify(client)

export const recall = (memory: OAuthMemory): RememberedClient => Remembered.parse(JSON.parse(memory))
