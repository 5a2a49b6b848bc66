import { useNavigate } from '@tanstack/react-router'
import type { Graph, GraphArrow, GraphNode } from './sub-agent-graph'
import styles from './sub-agent-picture.module.css'

const box = { width: 138, height: 40, gapX: 44, gapY: 16 } as const

const left = ({ column }: GraphNode) => 2 + column * (box.width + box.gapX)

interface SubAgentPictureProps {
  readonly graph: Graph
  readonly startId: string
}

/** Draws the agent at the left and its sub-agents to the right. Names link to the agents. */
export function SubAgentPicture({ graph: { nodes, arrows }, startId }: SubAgentPictureProps) {
  const columns = Math.max(...nodes.map(({ column }) => column)) + 1
  const rows = Math.max(...nodes.map(({ row }) => row)) + 1
  const height = rows * (box.height + box.gapY) - box.gapY + 4
  const width = columns * (box.width + box.gapX) - box.gapX + 4
  // Each column is centered vertically.
  const top = ({ column, row }: GraphNode) => {
    const own = nodes.filter((node) => node.column === column).length
    const used = own * (box.height + box.gapY) - box.gapY
    return (height - used) / 2 + row * (box.height + box.gapY)
  }
  return (
    <section className={styles.frame} aria-label="Sub-agent diagram">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{describeArrows(arrows)}</title>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" className={styles.tip} />
          </marker>
        </defs>
        {arrows.map((arrow) => (
          <path
            key={`${arrow.from.id} ${arrow.to.id}`}
            d={wayOf(arrow, top)}
            className={arrow.to.column > arrow.from.column ? styles.arrow : styles.circle}
            markerEnd="url(#tip)"
          />
        ))}
        {nodes.map((node) => (
          <Node key={node.id} node={node} top={top(node)} isStart={node.id === startId} />
        ))}
      </svg>
    </section>
  )
}

interface NodeProps {
  readonly node: GraphNode
  readonly top: number
  readonly isStart: boolean
}

function Node({ node, top, isStart }: NodeProps) {
  const navigate = useNavigate()
  const name = node.name ?? 'Deleted agent'
  const shown = (
    <>
      <rect width={box.width} height={box.height} rx={8} className={isStart ? styles.start : styles.box} />
      <text x={box.width / 2} y={box.height / 2} className={isStart ? styles.startName : styles.name}>
        {name.length > 18 ? `${name.slice(0, 17)}…` : name}
      </text>
    </>
  )
  const transform = `translate(${left(node)} ${top})`
  if (isStart || node.name === null) return <g transform={transform}>{shown}</g>
  return (
    <a
      href={`#/agents/${node.id}`}
      className={styles.link}
      aria-label={name}
      onClick={(event) => {
        event.preventDefault()
        void navigate({ to: '/agents/$agentId', params: { agentId: node.id } })
      }}
    >
      <g transform={transform}>{shown}</g>
    </a>
  )
}

function wayOf({ from, to }: GraphArrow, top: (node: GraphNode) => number): string {
  const middle = box.height / 2
  const [startX, startY] = [left(from) + box.width, top(from) + middle]
  const [endX, endY] = [left(to), top(to) + middle]
  if (to.column > from.column) {
    const bend = (startX + endX) / 2
    return `M${startX} ${startY} C${bend} ${startY} ${bend} ${endY} ${endX - 2} ${endY}`
  }
  // An edge back or within a column runs around both nodes.
  const [backX, backY] = [left(to) + box.width / 2, top(to) + box.height]
  const low = Math.max(top(from), top(to)) + box.height + box.gapY
  return `M${left(from) + box.width / 2} ${top(from) + box.height} C${left(from) + box.width / 2} ${low} ${backX} ${low} ${backX} ${backY + 2}`
}

function describeArrows(arrows: readonly GraphArrow[]): string {
  if (arrows.length === 0) return 'No sub-agents yet.'
  return arrows
    .map(({ from, to }) => `${from.name ?? 'Deleted agent'} asks ${to.name ?? 'a deleted agent'}`)
    .join(', ')
}
