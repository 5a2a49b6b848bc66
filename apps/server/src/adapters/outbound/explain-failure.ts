/** Messages and remedies for the error codes of sockets, TLS and the HTTP parser. */
const explanations: readonly (readonly [codes: RegExp, explain: (host: string) => string])[] = [
  [
    /^ECONNREFUSED$/,
    (host) => `Nothing listens at ${host}. Check address and port, and whether the server is running.`,
  ],
  [/^E(?:HOST|NET)UNREACH$/, (host) => `The host ${host} is unreachable. Check address and network.`],
  [/^CERT_HAS_EXPIRED$/, (host) => `The certificate of ${host} has expired and must be renewed.`],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (host) => `The certificate of ${host} is for another name. Use a name that the certificate contains.`,
  ],
  [
    /SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    (host) =>
      `The certificate of ${host} is signed by an authority that the service does not trust. Start the service with NODE_EXTRA_CA_CERTS set to this authority.`,
  ],
  [
    /^(?:EPROTO|ERR_SSL_\w+)$/,
    (host) => `${host} does not support TLS as expected. If it has no TLS, use http: instead of https:.`,
  ],
  [/^HPE_/, (host) => `The server at ${host} does not support HTTP. Check the port.`],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    (host) => `The host ${host} did not answer properly: it closed the connection.`,
  ],
]

/** Explains why the connection to a host failed, for the person who configured its address. */
export function explainFailure(error: unknown, host: string): string {
  const code = codeOf(error)
  const explanation = explanations.find(([codes]) => code !== null && codes.test(code))
  if (explanation !== undefined) return explanation[1](host)
  return `The host ${host} did not answer properly${code === null ? '' : ` (${code})`}.`
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
