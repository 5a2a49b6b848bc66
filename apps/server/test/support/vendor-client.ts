import { createRequire } from 'node:module'
import { join } from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    vendorClients: string
  }
}

/**
 * Loads a package of `test/vendor-clients`. Only for tests of the kind `vendor`. The caller declares the part of the
 * package's types that the test uses.
 */
export function loadVendorClient<Client>(name: string): Client {
  return createRequire(join(inject('vendorClients'), 'package.json'))(name) as Client
}
