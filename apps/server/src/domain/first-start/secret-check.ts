import type { Stores } from '../../ports/database.js'
import type { Cipher } from '../../ports/secrets.js'

/**
 * The content of the secret check. It also states that the installation's audit chains have keys. Because it
 * cannot be changed without the secret, a chain that an attacker rebuilt without a key is never accepted as
 * an old chain.
 */
export const secretCheckText = 'parley, with keyed audit chains'
export const secretCheckContext = 'installation/secretCheck'

/**
 * The stored secrets were sealed with another PARLEY_SECRET. The service must not start, because it could not
 * open any of them.
 */
class WrongSecret extends Error {
  constructor() {
    super(
      'PARLEY_SECRET is not the secret that this database was set up with. It cannot decrypt the stored secrets.',
    )
    this.name = 'WrongSecret'
  }
}

/** Seals the content of the secret check with the current secret. */
export async function resealSecretCheck(stores: Stores, cipher: Cipher): Promise<void> {
  await stores.installation.lock()
  await stores.installation.replaceSecretCheck(cipher.seal(secretCheckText, secretCheckContext))
}

/** Opens the secret check. Throws if it was sealed with another secret. */
export function openSecretCheck(cipher: Cipher, secretCheck: string): string {
  try {
    return cipher.open(secretCheck, secretCheckContext)
  } catch {
    throw new WrongSecret()
  }
}

/** Throws if the stored secrets were sealed with another secret. */
export function requireSecret(cipher: Cipher, secretCheck: string): void {
  openSecretCheck(cipher, secretCheck)
}

/** Returns whether the stored secrets were sealed with this secret. */
export function opensSecrets(cipher: Cipher, secretCheck: string): boolean {
  try {
    openSecretCheck(cipher, secretCheck)
    return true
  } catch {
    return false
  }
}
