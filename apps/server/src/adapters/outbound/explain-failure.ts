/** Messages and remedies for the error codes of sockets, TLS and the HTTP parser. */
const explanations: readonly (readonly [codes: RegExp, explain: (host: string) => string])[] = [
  [
    /^ECONNREFUSED$/,
    (host) => `Nothing listens at ${host}. Check address and port, and whether the server there is running.`,
  ],
  [/^E(?:HOST|NET)UNREACH$/, (host) => `There is no way from here to ${host}. Check address and network.`],
  [/^CERT_HAS_EXPIRED$/, (host) => `The certificate of ${host} has expired and has to be renewed.`],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (host) => `The certificate of ${host} is for another name. Call it by the name that it was made for.`,
  ],
  [
    /SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    (host) =>
      `The certificate of ${host} is signed by nobody whom the service trusts. Name its authority in NODE_EXTRA_CA_CERTS where the service is started.`,
  ],
  [
    /^(?:EPROTO|ERR_SSL_\w+)$/,
    (host) => `${host} does not speak TLS as expected. If it has none, write http: instead of https:.`,
  ],
  [/^HPE_/, (host) => `What listens at ${host} does not speak HTTP. Check the port.`],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    (host) => `The host ${host} did not answer properly: it closed the connection.`,
  ],
]

/** Explains why the connection to a host failed, for the person who configured its address. */
export function explainFailure(error: unknown, host: string): string {
  const code = codeOf(error)
  const known = explanations.find(([codes]) => code !== null && codes.test(code))
  if (known !== undefined) return known[1](host)
  return `The host ${host} did not answer properly${code === null ? '' : ` (${code})`}.`
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
