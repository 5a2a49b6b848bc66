import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { linter, lintGutter } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { nonce } from '../../../app/nonce'
import { jsonColors } from './json-colors'

interface JsonEditorProps {
  readonly label: string
  readonly value: string
  readonly isReadOnly?: boolean
  readonly height: string
  readonly onChange: (text: string) => void
}

/** A JSON editor with inline errors. Loaded on demand because of its size. */
export default function JsonEditor({ label, value, isReadOnly = false, height, onChange }: JsonEditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const listener = useRef(onChange)
  const start = useRef(value)
  useEffect(() => {
    listener.current = onChange
  })
  useEffect(() => {
    if (container.current === null) return
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: start.current,
        extensions: extensionsFor({ label, isReadOnly, height, onText: (text) => listener.current(text) }),
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label, isReadOnly, height])
  // The editor's own edits come back as the value. Other values come from outside.
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  return <div ref={container} />
}

interface EditorSettings {
  readonly label: string
  readonly isReadOnly: boolean
  readonly height: string
  readonly onText: (text: string) => void
}

function extensionsFor({ label, isReadOnly, height, onText }: EditorSettings): Extension[] {
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    history(),
    json(),
    jsonColors,
    indentOnInput(),
    bracketMatching(),
    linter(jsonParseLinter(), { delay: 300 }),
    lintGutter(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.readOnly.of(isReadOnly),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.toString())
    }),
    look(height),
  ]
}

function look(height: string): Extension {
  return EditorView.theme({
    '&': {
      height,
      fontSize: '0.8125rem',
      border: '1px solid var(--parley-line)',
      borderRadius: 'var(--mantine-radius-md)',
      background: 'var(--parley-card)',
      overflow: 'hidden',
    },
    '&.cm-focused': { outline: '2px solid var(--mantine-color-green-7)' },
    '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
    '.cm-content': { caretColor: 'var(--mantine-color-text)' },
    '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
    '.cm-gutters': {
      background: 'transparent',
      color: 'var(--mantine-color-dimmed)',
      border: 'none',
    },
    '.cm-tooltip': {
      background: 'var(--parley-card)',
      color: 'var(--mantine-color-text)',
      border: '1px solid var(--parley-line)',
    },
    '.cm-json-name': { color: 'light-dark(#0b5c8a, #8ecbf0)' },
    '.cm-json-text': { color: 'light-dark(#0b6b3f, #8fdcb4)' },
    '.cm-json-value': { color: 'light-dark(#8a3a0b, #f0b98e)' },
  })
}
