// Small sites of departments, with people, courses and research groups. Useful here: directories, since a
// group, a course and a person have one each; lists of papers, whose anchors are titles; and links to people
// elsewhere who work on the same subject. Misleading: menus on every page, names and "lecture 3" as anchors,
// and hosts, which have many subjects.
import { Chance, ENGLISH, type SampleWeb, type Subject, WebDraft } from './draft.ts'

const UNIVERSITIES = 5
const DEPARTMENTS = ['science', 'arts', 'engineering', 'life']
const PEOPLE = { least: 6, more: 8 }
const COURSES = { least: 3, more: 3, lectures: 7 }
const GROUPS = { least: 1, more: 3, pages: 8 }
const PAPERS = { least: 2, more: 5 }
/** People and courses have a topic, another subject, or none. */
const OTHERS = 6
const NO_SUBJECT = 0.3
/** Share of pages in a directory that have the directory's subject. */
const FAITHFUL = { home: 0.4, paper: 0.85, course: 0.75, group: 0.8 }
const COLLEAGUES = { links: 2, sameSubject: 0.5 }
const TELLING = { paper: 0.6, course: 0.5 }
const LISTS = ['people', 'courses', 'research', 'news']

type Department = {
  readonly url: string
  readonly front: number
  readonly lists: ReadonlyMap<string, number>
  readonly house: readonly string[]
}

export function makeCampusWeb(seed = 1): SampleWeb {
  const draft = new WebDraft(ENGLISH, new Chance(seed))
  return new Campus(draft).make()
}

class Campus {
  readonly #draft: WebDraft
  readonly #subjects: readonly Subject[]
  readonly #homes: number[] = []

  constructor(draft: WebDraft) {
    this.#draft = draft
    const others = Array.from({ length: OTHERS }, () => draft.otherSubject())
    this.#subjects = [...draft.subjects(), ...others]
  }

  make(): SampleWeb {
    const draft = this.#draft
    const fronts: number[] = []
    for (let university = 0; university < UNIVERSITIES; university++) {
      const name = draft.chance.name()
      for (const kind of DEPARTMENTS) {
        const department = this.#addDepartment(`http://${kind}.${name}${university}.test`)
        fronts.push(department.front)
        this.#fill(department)
      }
    }
    // Departments of a university link to each other, and the first ones to those elsewhere.
    for (const [at, front] of fronts.entries()) {
      const first = at - (at % DEPARTMENTS.length)
      for (let next = first; next < first + DEPARTMENTS.length; next++)
        draft.link(front, fronts[next] ?? 0)
      if (at === first)
        for (let to = 0; to < fronts.length; to += DEPARTMENTS.length)
          draft.link(front, fronts[to] ?? 0)
    }
    this.#linkColleagues()
    return draft.finish()
  }

  #addDepartment(url: string): Department {
    const draft = this.#draft
    const house = draft.chance.names(10)
    const subject = draft.nothing()
    const front = draft.add({ url: `${url}/`, title: 'department', subject, house })
    const lists = LISTS.map((name): [string, number] => [
      name,
      draft.add({ url: `${url}/${name}/`, title: name, subject, house }),
    ])
    const department = { url, front, lists: new Map(lists), house }
    for (const page of [front, ...department.lists.values()]) this.#menu(page, department)
    return department
  }

  #fill(department: Department): void {
    const { chance } = this.#draft
    const some = ({ least, more }: { readonly least: number; readonly more: number }) =>
      Array.from({ length: least + chance.below(more) }, () => this.#subject())
    for (const subject of some(PEOPLE)) this.#addPerson(department, subject)
    for (const subject of some(COURSES)) this.#addCourse(department, subject)
    for (const subject of some(GROUPS)) this.#addGroup(department, subject)
    const news = department.lists.get('news') ?? department.front
    for (let number = 1; number <= 4; number++) {
      this.#addIn(department, news, { path: `news/${number}.html`, title: `news ${number}` })
    }
  }

  #addPerson(department: Department, subject: Subject): void {
    const draft = this.#draft
    const { chance } = draft
    const name = `${chance.name()} ${chance.name()}`
    const folder = `~${name.split(' ')[1]}`
    const list = department.lists.get('people') ?? department.front
    const own = chance.is(FAITHFUL.home) ? subject : undefined
    const home = this.#addIn(department, list, { path: `${folder}/`, title: name, subject: own })
    this.#homes.push(home)
    const path = `${folder}/papers.html`
    const papers = this.#addIn(department, home, {
      path,
      title: 'papers',
      subject: this.#mostly(subject, 'paper'),
    })
    for (let number = PAPERS.least + chance.below(PAPERS.more); number > 0; number--) {
      const about = this.#mostly(subject, 'paper')
      const title = draft.words(5, about, chance.is(TELLING.paper) ? 0.5 : 0)
      this.#addIn(department, papers, { path: `${folder}/p${number}.html`, title, subject: about })
    }
  }

  #addCourse(department: Department, subject: Subject): void {
    const draft = this.#draft
    const { chance } = draft
    const folder = `courses/${chance.name().slice(0, 3)}${100 + draft.size}`
    const title = `${draft.words(2, subject, chance.is(TELLING.course) ? 0.8 : 0)} ${100 + chance.below(300)}`
    const list = department.lists.get('courses') ?? department.front
    const course = this.#addIn(department, list, { path: `${folder}/`, title, subject })
    for (let number = 1; number <= COURSES.lectures; number++) {
      const path = `${folder}/lecture${number}.html`
      this.#addIn(department, course, {
        path,
        title: `lecture ${number}`,
        subject: this.#mostly(subject, 'course'),
      })
    }
    draft.link(course, chance.any(this.#homes) ?? list, 'lecturer')
  }

  #addGroup(department: Department, subject: Subject): void {
    const draft = this.#draft
    const { chance } = draft
    const name = chance.name()
    const list = department.lists.get('research') ?? department.front
    const group = this.#addIn(department, list, {
      path: `research/${name}/`,
      title: `group ${name}`,
      subject,
    })
    for (let number = 1; number <= GROUPS.pages; number++) {
      const about = this.#mostly(subject, 'group')
      const path = `research/${name}/${number}.html`
      this.#addIn(department, group, { path, title: draft.words(3, about, 0.3), subject: about })
    }
  }

  /** People link to people: half of the time to a person with the same subject. */
  #linkColleagues(): void {
    const draft = this.#draft
    const { chance } = draft
    const workOf = (home: number) => draft.subjectOf(home + 1).words
    const bySubject = Map.groupBy(this.#homes, workOf)
    for (const home of this.#homes) {
      for (let left = COLLEAGUES.links; left > 0; left--) {
        const same = chance.is(COLLEAGUES.sameSubject) ? bySubject.get(workOf(home)) : this.#homes
        draft.link(home, chance.any(same ?? []) ?? home)
      }
    }
  }

  #addIn(
    department: Department,
    parent: number,
    page: { readonly path: string; readonly title: string; readonly subject?: Subject | undefined },
  ): number {
    const draft = this.#draft
    const { path, title, subject = draft.nothing() } = page
    const { url, house } = department
    const added = draft.add({ url: `${url}/${path}`, title, subject, house })
    draft.link(parent, added)
    this.#menu(added, department)
    draft.link(added, parent, 'up')
    return added
  }

  #menu(page: number, { front, lists }: Department): void {
    this.#draft.link(page, front, 'home')
    for (const [name, list] of lists) this.#draft.link(page, list, name)
  }

  #subject(): Subject {
    const { chance } = this.#draft
    const none = this.#draft.nothing()
    return chance.is(NO_SUBJECT) ? none : (chance.any(this.#subjects) ?? none)
  }

  #mostly(subject: Subject, kind: keyof typeof FAITHFUL): Subject {
    return this.#draft.chance.is(FAITHFUL[kind]) ? subject : this.#draft.nothing()
  }
}
