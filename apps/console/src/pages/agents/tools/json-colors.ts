import { syntaxTree } from '@codemirror/language'
import { RangeSetBuilder } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'

const classes: Readonly<Record<string, string>> = {
  PropertyName: 'cm-json-name',
  String: 'cm-json-text',
  Number: 'cm-json-value',
  True: 'cm-json-value',
  False: 'cm-json-value',
  Null: 'cm-json-value',
}

/** Syntax colors by class. The default theme is unreadable on a dark page. */
export const jsonColors = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = colorsOf(view)
    }

    update(update: ViewUpdate): void {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state)
      if (update.docChanged || update.viewportChanged || isParsed) this.decorations = colorsOf(update.view)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

function colorsOf(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to } of view.visibleRanges)
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: (node) => {
        const name = classes[node.name]
        if (name !== undefined) builder.add(node.from, node.to, Decoration.mark({ class: name }))
      },
    })
  return builder.finish()
}
