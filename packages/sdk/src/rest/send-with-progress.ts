export interface UploadProgress {
  readonly sentBytes: number
  /** `null` for a stream, whose length is unknown. */
  readonly totalBytes: number | null
}

/** Like `fetch`, but reports upload progress, which a browser's `fetch` cannot do. */
export function sendWithProgress(
  totalBytes: number,
  onProgress: (progress: UploadProgress) => void,
): (url: string, init: RequestInit) => Promise<Response> {
  return (url, { method = 'POST', headers, body, signal, credentials }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      request.withCredentials = credentials === 'include'
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      // The total includes the form around the file.
      request.upload.onprogress = ({ loaded }) =>
        onProgress({ sentBytes: Math.min(loaded, totalBytes), totalBytes })
      request.onload = () => resolve(responseOf(request))
      request.onerror = () => reject(new TypeError('The request failed.'))
      request.onabort = () => reject(signal?.reason)
      signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(body instanceof FormData ? body : null)
    })
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/)
    if (name !== '') headers.append(name, value)
  }
  return new Response(request.responseText, { status: request.status, headers })
}
