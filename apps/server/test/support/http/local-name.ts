import { lookup } from 'node:dns/promises'

/** For tests that use the name `localhost`. Throws if it does not resolve on this machine. */
export async function requireLocalName(): Promise<void> {
  await lookup('localhost').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(
      `This test needs the name localhost, which does not resolve (${code}). Is /etc/hosts missing?`,
    )
  })
}
