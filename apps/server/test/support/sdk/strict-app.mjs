// An app that starts a voice when it is mounted, which StrictMode does twice. The bundle contains React's
// development build.
import { ParleyProvider, useApprovals, useLevel, useTranscript, useVoice } from '@parley/sdk/react'
import { createElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

const renders = { status: 0, words: 0 }

function Status() {
  const { phase, start } = useVoice()
  useEffect(() => void start(), [start])
  renders.status += 1
  return createElement('output', null, phase)
}

function Words() {
  renders.words += 1
  return useTranscript().map(({ id, text }) => createElement('p', { key: id }, text))
}

function Loudness() {
  return createElement('meter', { value: useLevel().input, title: String(useApprovals().length) })
}

const root = createRoot(document.querySelector('main'))
globalThis.renders = renders
globalThis.unmount = () => root.unmount()
globalThis.mount = (options) =>
  root.render(
    createElement(
      StrictMode,
      null,
      createElement(
        ParleyProvider,
        options,
        createElement(Status),
        createElement(Words),
        createElement(Loudness),
      ),
    ),
  )
