import { z } from 'zod'

/** A project of Vertex AI, read from the URL of a connection of kind `google`. */
export interface VertexProject {
  /** The URL of the server, without the version of its API. */
  readonly serverUrl: string
  /** The version of the API, such as `v1`. */
  readonly version: string
  /** The name of the project's location: `projects/{project}/locations/{location}`. */
  readonly resource: string
}

const projectUrl = /^(https?:\/\/[^/]+(?:\/.*?)??)(?:\/(v\d\w*))?\/(projects\/[\w.:-]+\/locations\/[\w-]+)$/
const googleServer = /^https?:\/\/(?:[^/]*-)?aiplatform\.googleapis\.com(?:[:/]|$)/i

/** Returns the project of Vertex AI that an address without a trailing slash names, or null if it names none. */
export function vertexProject(address: string): VertexProject | null {
  const [, serverUrl, version = 'v1', resource] = projectUrl.exec(address) ?? []
  return serverUrl === undefined || resource === undefined ? null : { serverUrl, version, resource }
}

/** Whether an address belongs to Google's servers of Vertex AI. */
export const isVertexServer = (address: string) => googleServer.test(address)

/** The parts of a service account's key that sign in with it. */
export interface ServiceAccountKey {
  readonly clientEmail: string
  /** PEM. */
  readonly privateKey: string
  readonly privateKeyId: string | null
  /** The address that exchanges a signed request for an access token. */
  readonly tokenUrl: string
}

const KeyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1).max(320),
  private_key: z.string().regex(/^-----BEGIN (?:RSA )?PRIVATE KEY-----/),
  private_key_id: z.string().max(200).optional(),
  token_uri: z.url({ protocol: /^https?$/ }).refine((url) => !/[?#@]/.test(url)),
})

/** Reads the JSON key of a service account. Returns null if the text is something else. */
export function readServiceAccountKey(text: string): ServiceAccountKey | null {
  const file = KeyFile.safeParse(parsed(text))
  if (!file.success) return null
  const { client_email, private_key, private_key_id = null, token_uri } = file.data
  return {
    clientEmail: client_email,
    privateKey: private_key,
    privateKeyId: private_key_id,
    tokenUrl: token_uri,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A key as providers give it out: one word. */
const plainKey = /^[\x21-\x7e]+$/
const plainKeyError = 'must contain only printable ASCII characters without spaces'

/** Validates the address and the key of a connection of kind `google`, and that no other kind has a key in JSON. */
export function checkGoogleAccess(
  {
    kind,
    baseUrl,
    apiKey,
  }: { readonly kind: string; readonly baseUrl: string | null; readonly apiKey?: string | null | undefined },
  context: z.RefinementCtx,
): void {
  const address = baseUrl?.replace(/\/+$/, '') ?? ''
  const isVertex = kind === 'google' && vertexProject(address) !== null
  if (kind === 'google' && !isVertex && isVertexServer(address))
    context.addIssue({
      code: 'custom',
      path: ['baseUrl'],
      message: 'must end in /projects/{project}/locations/{location} for Vertex AI',
    })
  if (typeof apiKey !== 'string') return
  const isAccepted = isVertex ? readServiceAccountKey(apiKey) !== null : plainKey.test(apiKey)
  if (isAccepted) return
  context.addIssue({
    code: 'custom',
    path: ['apiKey'],
    message: isVertex
      ? 'must be the JSON key of a service account, because baseUrl names a project of Vertex AI'
      : plainKeyError,
  })
}
