import { request as dispatch } from 'undici'
import { type RawAnswer, send } from '../http/send.js'

/** A browser of one person. It keeps cookies and follows the redirects that the test chooses. */
export interface IssuerBrowser {
  /** Cookies by name. There is only one host. */
  readonly cookies: Map<string, string>
  call(
    url: string,
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<RawAnswer>
  /** Begins the sign-in. Returns the address at the issuer. */
  begin(url: string, body?: object): Promise<string>
  /** Opens the issuer's page. Returns the redirect as a path of the service. */
  visit(address: string): Promise<string>
  /** Opens the callback. Returns its redirect. */
  finishSignIn(url: string, path: string): Promise<string>
}

/** The service uses `publicUrl` as its address, wherever its instances listen. */
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
    async finishSignIn(url, path) {
      const { status, headers } = await browser.call(url, 'GET', path)
      if (status !== 302) throw new Error(`Expected a redirect, got ${status}`)
      return String(headers.get('location')).replace(publicUrl, '')
    },
  }
  return browser
}
