export interface GuardedMcpServer {
  readonly url: string
  readonly seen: {
    readonly registered: string[]
    readonly consents: { readonly scopes?: string[]; readonly resource: string }[]
    readonly renewals: string[]
    readonly revoked: string[]
    /** Those of the client that is known without having registered. */
    redirectUris: string[]
    /** Fields of its token answers that the test replaces. */
    answer: Readonly<Record<string, unknown>>
    /** Called before it answers a renewal. */
    beforeRenewal: () => Promise<void>
  }
  /** From now on no access token is good that was given before. */
  forgetAccess(): void
  forgetRefresh(): void
  close(): Promise<void>
}

export function startGuardedMcpServer(options?: { readonly canRegister?: boolean }): Promise<GuardedMcpServer>
