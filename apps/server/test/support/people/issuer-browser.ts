import { request as dispatch } from 'undici'
import { type RawAnswer, send } from '../http/send.js'

/** A browser of one person: it keeps cookies, and goes where the test sends it. */
export interface IssuerBrowser {
  /** By name, as browsers keep them for the one host that there is. */
  readonly cookies: Map<string, string>
  call(
    url: string,
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<RawAnswer>
  /** Begins; returns the address at the issuer. */
  begin(url: string, body?: object): Promise<string>
  /** Goes to the issuer; returns where that sends it back to, as a path of the service. */
  visit(address: string): Promise<string>
  /** Comes back; returns where it is sent to then. */
  comeBack(url: string, path: string): Promise<string>
}

/** The service believes to be at `publicUrl`, wherever its instances really are. */
export function makeIssuerBrowser(publicUrl: string): IssuerBrowser {
  const cookies = new Map<string, string>()
  const browser: IssuerBrowser = {
    cookies,
    async call(url, method, path, body, headers = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const answer = await send(url, {
        method,
        path,
        headers: {
          ...(method !== 'GET' && { origin: publicUrl }),
          ...(cookie !== '' && { cookie }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      for (const text of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
        if (/; Max-Age=0;/.test(text)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    },
    async begin(url, body = {}) {
      const { status, text } = await browser.call(url, 'POST', '/api/v1/SignIn/oidc', body)
      if (status !== 200) throw new Error(text)
      return JSON.parse(text).url
    },
    async visit(address) {
      const { headers, body } = await dispatch(address)
      await body.dump()
      return String(headers.location).replace(publicUrl, '')
    },
    async comeBack(url, path) {
      const { status, headers } = await browser.call(url, 'GET', path)
      if (status !== 302) throw new Error(`Sent nowhere: ${status}`)
      return String(headers.get('location')).replace(publicUrl, '')
    },
  }
  return browser
}
