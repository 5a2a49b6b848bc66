export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}
