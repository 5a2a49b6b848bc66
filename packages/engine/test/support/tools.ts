import type { RealtimeFunctionTool } from 'openai/resources/realtime/realtime'

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export function makeTool(
  name: string,
  description: string,
  properties: Properties = {},
  required: string[] = [],
) {
  return { name, description, parameters: { type: 'object', properties, required } }
}

const text = { type: 'string' }

export const weather = makeTool('get_weather', 'Get the current weather of a city', { city: text }, ['city'])
const createTask = makeTool(
  'create_task',
  'Create a task for later work',
  {
    title: text,
    dueAt: { type: 'string', format: 'date-time' },
    priority: { type: 'string', enum: ['low', 'normal', 'high'] },
  },
  ['title'],
)
const currentTime = makeTool('current_time', 'Tells the current date and time')
const searchFiles = makeTool('search_files', 'Search the uploaded files for a text', { query: text }, [
  'query',
])
export const cancelOrder = makeTool('cancel_order', 'Cancel an order of the customer', { order_id: text }, [
  'order_id',
])
const refundOrder = makeTool(
  'refund_order',
  'Pay a customer back for an order',
  { order_number: text, amount: { type: 'number' } },
  ['order_number', 'amount'],
)
const sendEmail = makeTool('send_email', 'Send an email to somebody', { to: text, subject: text }, [
  'to',
  'subject',
])
const countTickets = makeTool('count_tickets', 'How many tickets are open')
const bookTable = makeTool(
  'book_table',
  'Book a table at a restaurant',
  { people: { type: 'integer' }, date: { type: 'string', format: 'date' }, time: text },
  ['people', 'date', 'time'],
)

export const allTools = [
  weather,
  createTask,
  currentTime,
  searchFiles,
  cancelOrder,
  refundOrder,
  sendEmail,
  countTickets,
  bookTable,
]

export function sessionTool(tool: ReturnType<typeof makeTool>): RealtimeFunctionTool {
  return { type: 'function', ...tool }
}
