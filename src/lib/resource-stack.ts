// Resources that are opened one after the other and closed together, the last one first. It does what
// AsyncDisposableStack does, which Node 22 lacks.

export class ResourceStack implements AsyncDisposable {
  #resources: (AsyncDisposable | Disposable)[] = []

  /** Closes it with the others; returns it. A null is nothing to close. */
  use<T extends AsyncDisposable | Disposable | null>(resource: T): T {
    if (resource !== null) this.#resources.push(resource)
    return resource
  }

  /** Calls this when the turn of a resource opened now would come. */
  defer(close: () => unknown): void {
    this.use({ [Symbol.asyncDispose]: async () => void (await close()) })
  }

  /** The resources in a stack of their own; this one is empty then. */
  move(): ResourceStack {
    const moved = new ResourceStack()
    moved.#resources = this.#resources
    this.#resources = []
    return moved
  }

  /** Closes all of them, also when one fails; then throws what failed first. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = []
    for (let next = this.#resources.pop(); next !== undefined; next = this.#resources.pop()) {
      try {
        await close(next)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}

async function close(resource: AsyncDisposable | Disposable): Promise<void> {
  if (Symbol.asyncDispose in resource) await resource[Symbol.asyncDispose]()
  else resource[Symbol.dispose]()
}
