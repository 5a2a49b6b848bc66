import {
  type AuthorizationServerMetadata,
  isSpecType,
  type OAuthClientInformationMixed,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import type { OAuthMemory } from '../../ports/oauth.js'

/** The metadata of an issuer, and our registration as its client. */
export interface RememberedClient {
  readonly authorizationServerUrl: string
  readonly metadata: z.output<typeof Metadata>
  readonly client: z.output<typeof Client>
  readonly resource: string | null
  readonly redirectUri: string
  readonly codeVerifier: string
}

const Metadata = z.custom<AuthorizationServerMetadata>(
  (value) => isSpecType.OAuthMetadata(value) || isSpecType.OpenIdProviderDiscoveryMetadata(value),
)
const Client = z.custom<OAuthClientInformationMixed>(isSpecType.OAuthClientInformation)

const Remembered = z.object({
  authorizationServerUrl: z.string(),
  metadata: Metadata,
  client: Client,
  resource: z.string().nullable(),
  redirectUri: z.string(),
  codeVerifier: z.string(),
})

export const remember = (client: RememberedClient): OAuthMemory => JSON.stringify(client)

export const parseMemory = (memory: OAuthMemory): RememberedClient => Remembered.parse(JSON.parse(memory))
