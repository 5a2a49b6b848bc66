export interface Credentials {
  readonly organizationId: string
  readonly apiKey: string
}

export interface Api {
  /** Calls the API. Throws unless the response is a success. */
  call<Body>(method: string, path: string, body?: object): Promise<Body>
  /** Reads a page that is not part of the API, such as the metrics. */
  text(path: string): Promise<string>
}

/** Calls the service over HTTP, as a customer's backend does. */
export function makeApi(url: string, { organizationId, apiKey }: Credentials): Api {
  const text = async (path: string, options: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, options)
    const body = await response.text()
    if (!response.ok) throw new Error(`${options.method ?? 'GET'} ${path}: ${response.status} ${body}`)
    return body
  }
  return {
    text: (path) => text(path),
    async call<Body>(method: string, path: string, body?: object) {
      const headers = {
        'x-org-id': organizationId,
        'x-api-key': apiKey,
        ...(body && { 'content-type': 'application/json' }),
      }
      const answer = await text(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return (answer === '' ? undefined : JSON.parse(answer)) as Body
    },
  }
}
