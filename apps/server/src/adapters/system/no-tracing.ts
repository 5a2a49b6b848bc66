import type { Span, Tracing } from '../../ports/tracing.js'

const nothing: Span = {
  isOn: false,
  run: (work) => work(),
  rename: () => undefined,
  set: () => undefined,
  end: () => undefined,
}

const noHeaders = {}

/** Where nothing is traced: no package is loaded for it, and nothing is kept. */
export const noTracing: Tracing = {
  isOn: false,
  begin: () => nothing,
  isWithinSpan: () => false,
  headers: () => noHeaders,
  apart: (work) => work(),
  close: async () => undefined,
}
