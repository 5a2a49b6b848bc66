/** A dialogue of one question: the question, the expected tool call, and the expected words of the answer. */
export interface Dialogue {
  readonly question: string
  /**
   * Null: the question is sent as text. Recognition takes a second, so only some dialogues are spoken, at
   * least one for each kind of sentence.
   */
  readonly voice: string | null
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly needsApproval: boolean
  /** The expected request to the tool's endpoint. */
  readonly request: { readonly call: string; readonly body?: object }
  readonly result: unknown
  /** Words of the result that the spoken answer must contain. */
  readonly told: string
}

const text = { type: 'string' }
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The tools of a front-desk agent. Every dialogue offers all of them, so the model must choose. */
export function frontDeskTools(url: string): object[] {
  const tool = (name: string, description: string, properties: object, request: object, extra = {}) => ({
    kind: 'http',
    name,
    description,
    parameters: { type: 'object', properties, required: Object.keys(properties) },
    request,
    ...extra,
  })
  const approvalRequired = { approvalRequired: true }
  const get = (path: string) => ({ method: 'GET', url: `${url}${path}` })
  const post = (path: string) => ({ method: 'POST', url: `${url}${path}` })
  return [
    tool('weather', 'Tells the weather in a city.', { city: text }, get('/weather/{city}')),
    tool('find_order', 'Tells where an order is.', { number: text }, get('/orders/{number}')),
    tool(
      'opening_hours',
      'Tells when we are open on a day of the week.',
      { day: { ...text, enum: weekdays } },
      get('/hours'),
    ),
    tool('clock', 'Tells what time it is.', {}, get('/clock')),
    tool('count_tickets', 'Tells how many tickets are open.', {}, get('/tickets/count')),
    tool('search_manual', 'Searches the manual.', { query: text }, get('/manual')),
    tool(
      'switch_light',
      'Turns the light in a room on or off.',
      {
        room: { ...text, enum: ['kitchen', 'bedroom', 'garden'] },
        state: { ...text, enum: ['on', 'off'] },
      },
      post('/light'),
    ),
    tool(
      'cancel_order',
      'Cancels an order of the customer.',
      { order_number: text },
      { method: 'DELETE', url: `${url}/orders/{order_number}` },
      approvalRequired,
    ),
    tool(
      'book_table',
      'Books a table at the restaurant.',
      { people: { type: 'integer' } },
      post('/tables'),
      approvalRequired,
    ),
    tool('create_task', 'Creates a task for later.', { title: text }, post('/tasks'), approvalRequired),
  ]
}

export const dialogues: readonly Dialogue[] = [
  {
    question: 'What is the weather in Paris?',
    voice: 'alloy',
    tool: 'weather',
    arguments: { city: 'Paris' },
    needsApproval: false,
    request: { call: 'GET /weather/Paris' },
    result: { summary: 'It is sunny and warm.' },
    told: 'sunny and warm',
  },
  {
    question: 'Where is order number twenty seven?',
    voice: 'ballad',
    tool: 'find_order',
    arguments: { number: '27' },
    needsApproval: false,
    request: { call: 'GET /orders/27' },
    result: { status: 'waiting at the harbor' },
    told: 'the status is waiting at the harbor',
  },
  {
    question: 'When are you open on Sunday?',
    voice: null,
    tool: 'opening_hours',
    arguments: { day: 'Sunday' },
    needsApproval: false,
    request: { call: 'GET /hours?day=Sunday' },
    result: 'We are open from nine until noon.',
    told: 'from nine until noon',
  },
  {
    question: 'What time is it?',
    voice: null,
    tool: 'clock',
    arguments: {},
    needsApproval: false,
    request: { call: 'GET /clock' },
    result: { answer: 'It is a quarter past nine.' },
    told: 'quarter past nine',
  },
  {
    question: 'How many tickets are open?',
    voice: null,
    tool: 'count_tickets',
    arguments: {},
    needsApproval: false,
    request: { call: 'GET /tickets/count' },
    result: { count: 'seventeen' },
    told: 'the count is seventeen',
  },
  {
    question: 'Search the manual for winter tires.',
    voice: null,
    tool: 'search_manual',
    arguments: { query: 'winter tires' },
    needsApproval: false,
    request: { call: 'GET /manual?query=winter%20tires' },
    result: ['Change the tires in November.'],
    told: 'change the tires in november',
  },
  {
    question: 'Turn on the light in the kitchen.',
    voice: null,
    tool: 'switch_light',
    arguments: { room: 'kitchen', state: 'on' },
    needsApproval: false,
    request: { call: 'POST /light', body: { room: 'kitchen', state: 'on' } },
    result: { message: 'The light is on now.' },
    told: 'the light is on now',
  },
  {
    question: 'Cancel order number thirty five.',
    voice: 'ballad',
    tool: 'cancel_order',
    arguments: { order_number: '35' },
    needsApproval: true,
    request: { call: 'DELETE /orders/35' },
    result: { message: 'The order was cancelled.' },
    told: 'the order was cancelled',
  },
  {
    question: 'Please book a table for four people.',
    voice: 'ash',
    tool: 'book_table',
    arguments: { people: 4 },
    needsApproval: true,
    request: { call: 'POST /tables', body: { people: 4 } },
    result: { message: 'Your table is by the window.' },
    told: 'your table is by the window',
  },
  {
    question: 'Create a task to water the plants.',
    voice: null,
    tool: 'create_task',
    arguments: { title: 'water the plants' },
    needsApproval: true,
    request: { call: 'POST /tasks', body: { title: 'water the plants' } },
    result: { title: 'water the plants' },
    told: 'the title is water the plants',
  },
]

/** An answer that is long enough to interrupt. */
export const longAnswer = [
  'Change the tires in November, before the first snow falls on the road.',
  'Park the car on level ground and pull the brake as far as it goes.',
  'Loosen every nut a little while the wheel still stands on the ground.',
  'Lift the car until the wheel turns freely, and take the nuts off one by one.',
  'Put the winter wheel on and turn the nuts by hand until they hold.',
  'Let the car down again and tighten the nuts crosswise with a long wrench.',
  'Look at the nuts again after a hundred miles, and keep the old wheels in a dark place.',
].join(' ')
