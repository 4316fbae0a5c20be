/**
 * Records the answers of servers under test for all clients. It compares each answer with the contract
 * (contract-judge.ts), and keeps the facts that the answer shows for the drift table at the end (scripts/drift.ts).
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { join } from 'node:path'
import { judge, type Exchange, type Fact, type Fault } from './contract-judge.ts'

/** The content of a file that a test process writes to the folder `ANSWERS_FOLDER`. */
export interface AnswerRecord {
  readonly answers: number
  readonly facts: readonly Fact[]
  readonly faults: readonly Fault[]
}

/** The recorded answers of a server, or to a client. */
export class AnswerRecorder {
  #count = 0
  readonly #facts = new Map<string, Fact>()
  readonly #faults = new Map<string, Fault>()

  /** Judges and records an answer. */
  note(exchange: Exchange): void {
    this.#count += 1
    const { facts, faults } = judge(exchange)
    for (const fact of facts) this.#facts.set(Object.values(fact).join(' '), fact)
    for (const fault of faults) this.#faults.set(fault.text, fault)
  }

  /** Records every answer of a server, also to data that is not a request. */
  watch(server: Server): void {
    const latest = new WeakMap<Duplex, IncomingMessage>()
    const packets = new WeakMap<Duplex, Buffer>()
    const serve = (req: IncomingMessage, res: ServerResponse): void => {
      latest.set(req.socket, req)
      onEnd(res, (body) => {
        const { method = '', url: target = '' } = req
        this.note({ method, target, status: res.statusCode, headers: res.getHeaders(), body })
      })
    }
    server.prependListener('request', serve)
    server.prependListener('checkExpectation', serve)
    server.prependListener('checkContinue', serve)
    server.prependListener('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
      if (error.rawPacket !== undefined) packets.set(socket, error.rawPacket)
    })
    server.on('connection', (socket) => {
      onRefusal(socket, (text) => {
        this.note({ ...requestLine(latest.get(socket), packets.get(socket)), ...answerOf(text) })
      })
    })
  }

  /** Writes the record if the run collects records. Throws if the contract does not declare one of the answers. */
  close(): void {
    const record: AnswerRecord = {
      answers: this.#count,
      facts: [...this.#facts.values()],
      faults: [...this.#faults.values()],
    }
    const folder = process.env['ANSWERS_FOLDER']
    if (folder !== undefined) writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(record))
    if (record.faults.length > 0) {
      throw new Error(`not in the contract:\n${record.faults.map(({ text }) => text).join('\n')}`)
    }
  }
}

/** Calls `record` with the whole body when an answer is complete, before its end is sent. */
function onEnd(res: ServerResponse, record: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  const keep = ([chunk, encoding]: unknown[]): void => {
    if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding === 'latin1' ? 'latin1' : 'utf8'))
  }
  const write = res.write.bind(res) as (...args: unknown[]) => boolean
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse
  Object.assign(res, {
    write: (...args: unknown[]) => {
      keep(args)
      return write(...args)
    },
    end: (...args: unknown[]) => {
      keep(args)
      record(Buffer.concat(chunks))
      return end(...args)
    },
  })
}

/** Calls `record` with an answer that the server writes to the socket directly. */
function onRefusal(socket: Duplex, record: (text: string) => void): void {
  const end = socket.end.bind(socket) as (...args: unknown[]) => Duplex
  Object.assign(socket, {
    end: (...args: unknown[]) => {
      if (typeof args[0] === 'string') record(args[0])
      return end(...args)
    },
  })
}

/**
 * The first line of a refused request: of the request whose body was arriving, or of the text that the parser could not
 * read.
 */
function requestLine(latest: IncomingMessage | undefined, packet: Buffer | undefined) {
  if (latest?.complete === false) return { method: latest.method ?? '', target: latest.url ?? '' }
  const line = latest === undefined ? packet?.toString('latin1').split('\r\n')[0] : undefined
  const [, method = 'what', target = 'is not a request'] =
    /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(line ?? '') ?? []
  return { method, target }
}

function answerOf(text: string): Pick<Exchange, 'status' | 'headers' | 'body'> {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers) as Exchange['headers'],
    body: Buffer.from(body),
  }
}
