// The English of the made-up webs. Topics share a few words, with each other and with other subjects.
import type { Language } from './draft.ts'

export const ENGLISH: Language = {
  topics: [
    {
      id: 'tea',
      description: 'Growing, brewing and tasting tea',
      words: list(
        'tea leaf brew kettle oolong infusion plantation harvest leaves sencha assam brewing steep ' +
          'tannin pluck terrace garden teapot cup saucer aroma blend roast fermentation',
      ),
    },
    {
      id: 'sailing',
      description: 'Sailing boats, seamanship and regattas',
      words: list(
        'sail mast rigging hull keel regatta rudder harbour sailing tiller jib spinnaker halyard ' +
          'sheet anchor mooring tide current wind chart compass buoy crew skipper deck knot',
      ),
    },
    {
      id: 'stars',
      description: 'Observing stars, planets and galaxies',
      words: list(
        'star planet telescope orbit galaxy nebula comet observatory stars mirror lens meteor eclipse ' +
          'spectrum magnitude constellation dome dust light gravity redshift moon crater chart sky night',
      ),
    },
    {
      id: 'bread',
      description: 'Baking bread at home and in bakeries',
      words: list(
        'bread dough flour yeast oven loaf baker crust sourdough starter knead proof crumb rye wheat ' +
          'bakery baking hydration gluten salt ferment fermentation score steam baguette harvest roast',
      ),
    },
  ],
  common: list(
    'the a of and to in for with on at by from it this that these we you they one two many some all ' +
      'new old first last next best good small large long short early late year month week day time ' +
      'people friend family town city road house school office market story note guide list page news ' +
      'archive contact search home more read write begin end open close work play learn teach make ' +
      'keep find lose give take come go see say think know want need use try ask answer question reason ' +
      'place part side way thing group member number letter word line picture colour paper table chair ' +
      'window door garden river hill forest field summer winter morning evening price cost budget plan ' +
      'project report meeting event visit travel ticket train bus bridge street shop service support ' +
      'cup light night sky wind current sheet leaf mirror dust salt steam crew deck knot chart score',
  ),
}

function list(text: string): readonly string[] {
  return text.split(' ')
}
