import { DomainError } from '../../../domain/domain-error.js'
import type { App } from '../context.js'

/** Forms are the only body there is on these routes, and they are left to whoever reads them as they come. */
export function registerMultipartBody(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new DomainError('UnsupportedMediaType', 'Send the file as Content-Type: multipart/form-data.')),
  )
}
