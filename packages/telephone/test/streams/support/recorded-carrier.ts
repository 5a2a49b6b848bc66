/** Records commands to a carrier's API. */
export class RecordedCarrier {
  readonly commands: unknown[][] = []
  failure: Error | null = null

  async hangUp(callId: string): Promise<void> {
    this.#record('hangUp', callId)
  }

  async transfer(callId: string, transfer: object): Promise<void> {
    this.#record('transfer', callId, transfer)
  }

  #record(...command: unknown[]): void {
    this.commands.push(command)
    if (this.failure) throw this.failure
  }
}
