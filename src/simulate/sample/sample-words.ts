// The words of the sample web. Topics share a few, as they do everywhere.

export type SampleTopic = {
  readonly id: string
  readonly description: string
  readonly words: readonly string[]
}

export const SAMPLE_TOPICS: readonly SampleTopic[] = [
  {
    id: 'tea',
    description: 'Growing, brewing and tasting tea',
    words: list(
      'tea leaf leaves oolong sencha assam brew brewing kettle infusion steep tannin plantation ' +
        'harvest pluck plucking terrace garden pot teapot cup saucer aroma blend roast fermentation',
    ),
  },
  {
    id: 'sailing',
    description: 'Sailing boats, seamanship and regattas',
    words: list(
      'sail sailing mast rigging hull keel rudder tiller jib spinnaker halyard sheet anchor mooring ' +
        'harbour regatta tide current wind chart compass buoy crew skipper deck knot',
    ),
  },
  {
    id: 'stars',
    description: 'Observing stars, planets and galaxies',
    words: list(
      'star stars planet orbit telescope mirror lens galaxy nebula comet meteor eclipse spectrum ' +
        'magnitude constellation observatory dome dust light gravity redshift moon crater chart sky night',
    ),
  },
  {
    id: 'bread',
    description: 'Baking bread at home and in bakeries',
    words: list(
      'bread dough flour yeast sourdough starter knead proof oven crust crumb loaf rye wheat baker ' +
        'bakery baking hydration gluten salt ferment fermentation score steam baguette harvest roast',
    ),
  },
]

/** What pages say that are about nothing in particular. */
export const COMMON_WORDS: readonly string[] = list(
  'the a of and to in for with on at by from it this that these we you they one two many some all ' +
    'new old first last next best good small large long short early late year month week day time ' +
    'people friend family town city road house school office market story note guide list page news ' +
    'archive contact search home more read write begin end open close work play learn teach make ' +
    'keep find lose give take come go see say think know want need use try ask answer question reason ' +
    'place part side way thing group member number letter word line picture colour paper table chair ' +
    'window door garden river hill forest field summer winter morning evening price cost budget plan ' +
    'project report meeting event visit travel ticket train bus bridge street shop service support',
)

function list(text: string): readonly string[] {
  return text.split(' ')
}
