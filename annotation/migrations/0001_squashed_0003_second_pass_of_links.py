import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [('annotation', '0001_initial'), ('annotation', '0003_second_pass_of_links'), ('annotation', '0004_the_bin')]

    dependencies = [
        ('corpus', '0001_squashed_0004_remove_what_went'),
        ('jobs', '0001_initial'),
        ('projects', '0001_squashed_0003_delete_installationsettings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=80)),
                ('kind', models.CharField(choices=[('judge', 'Judge pairs'), ('link', 'Link words'), ('split', 'Split clusters')], max_length=5)),
                ('state', models.CharField(choices=[('open', 'Open'), ('closed', 'Closed')], default='open', max_length=6)),
                ('scheme', models.CharField(choices=[('binary', 'Binary: paraphrase or not'), ('three_way', 'Three-way: paraphrase, partial paraphrase, unrelated')], max_length=12)),
                ('overlap', models.PositiveSmallIntegerField()),
                ('handing_out', models.CharField(choices=[('at_once', 'At once: every item is assigned when the batch is drawn'), ('as_they_come', 'On demand: each free annotator takes the next item')], default='at_once', max_length=12)),
                ('lease_minutes', models.PositiveIntegerField(default=60, help_text='Minutes after which an item that was not answered goes to somebody else.')),
                ('seed', models.PositiveIntegerField()),
                ('count_phenomena', models.CharField(choices=[('none', 'in no pair'), ('paraphrases', 'in paraphrases and partial paraphrases'), ('every_pair', 'in every pair, as table 2 of Dolan et al. (2004)')], default='none', help_text='In which pairs annotators count phenomena.', max_length=11)),
                ('sampling', models.JSONField(default=dict, help_text='Sampling method and source')),
                ('trial', models.BooleanField(default=False, help_text="A trial of one person, or a training: it is never frozen as gold, is no part of the project's progress, and its pairs are drawn again.")),
                ('measure', models.CharField(blank=True, choices=[('accuracy', 'Accuracy'), ('kappa', "Cohen's kappa")], help_text='Of a training: what is compared with its threshold; empty for every other batch.', max_length=8)),
                ('threshold', models.FloatField(help_text='Of a training: the minimum of the measure, 0 to 1, to pass it.', null=True)),
                ('requires', models.ForeignKey(help_text='The training that annotators must have passed.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='required_by', to='annotation.batch')),
                ('suggester', models.CharField(blank=True, help_text='Name of the aligner whose links are suggested; empty for none.', max_length=40)),
                ('shows_decisions', models.BooleanField(default=False, help_text='Whether annotators see, once it is closed, decisions that differ from their answers.')),
                ('suggestions_pending', models.BooleanField(default=False, help_text='Whether nobody gets items, since the suggestions are not stored yet.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('corpus_import', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='corpus.corpusimport')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dataset', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='corpus.dataset')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['open', 'closed'])), name='batch_state'), models.CheckConstraint(condition=models.Q(('overlap__gte', 1)), name='batch_overlap'), models.CheckConstraint(condition=models.Q(('handing_out__in', ['at_once', 'as_they_come'])), name='batch_handing_out'), models.CheckConstraint(condition=models.Q(('lease_minutes__gte', 1)), name='batch_lease'), models.CheckConstraint(condition=models.Q(('count_phenomena__in', ['none', 'paraphrases', 'every_pair'])), name='batch_count_phenomena'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name'), name='batch_name')],
            },
        ),
        migrations.CreateModel(
            name='ClassifierRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('threshold', models.FloatField(help_text='Probability from which on pairs are accepted, 0 to 1; null: decision value 0.', null=True)),
                ('name', models.CharField(help_text='Name of the refined dataset that is frozen at its end.', max_length=80)),
                ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='classifier_runs', to='corpus.dataset')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='classifier_run', to='jobs.job')),
                ('refined', models.ManyToManyField(related_name='refining_runs', to='corpus.dataset')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('threshold__gte', 0), ('threshold__lte', 1)), name='classifier_run_threshold')],
            },
        ),
        migrations.CreateModel(
            name='GoldSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=80)),
                ('version', models.PositiveIntegerField()),
                ('agreement', models.JSONField()),
                ('counts', models.JSONField()),
                ('signature', models.TextField()),
                ('frozen_at', models.DateTimeField(auto_now_add=True)),
                ('rule', models.CharField(choices=[('disagreement_negative', 'Disagreement counts as not a paraphrase'), ('majority', 'Majority; a tie counts as not a paraphrase'), ('adjudicated', 'Adjudicated where people disagree'), ('posterior', 'Posterior, the rest adjudicated'), ('imported', 'Imported with its labels')], max_length=24)),
                ('scheme', models.CharField(choices=[('binary', 'Binary: paraphrase or not'), ('three_way', 'Three-way: paraphrase, partial paraphrase, unrelated')], max_length=12)),
                ('batches', models.ManyToManyField(related_name='gold_sets', to='annotation.batch')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_sets', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name', 'version'), name='gold_set_version')],
            },
        ),
        migrations.AddField(
            model_name='batch',
            name='gold_set',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='link_batches', to='annotation.goldset'),
        ),
        migrations.CreateModel(
            name='GoldSubclusterSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=80)),
                ('version', models.PositiveIntegerField()),
                ('agreement', models.JSONField()),
                ('counts', models.JSONField()),
                ('signature', models.TextField()),
                ('frozen_at', models.DateTimeField(auto_now_add=True)),
                ('rule', models.CharField(choices=[('adjudicated', 'Adjudicated: the adjudicator decides where annotators disagree; undecided clusters are left out.'), ('shared', 'Shared: two headlines belong together only if every annotator put them together.')], max_length=24)),
                ('lineage', models.JSONField(default=dict, help_text='Which clusters were drawn, and how.')),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gold_subcluster_sets', to='annotation.batch')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_subcluster_sets', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('rule__in', ['adjudicated', 'shared'])), name='gold_subclusters_rule'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name', 'version'), name='gold_subclusters_version')],
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Place in the batch, from 1')),
                ('stratum', models.TextField(blank=True, default='', help_text='Empty in a plain random draw')),
                ('flagged', models.BooleanField(default=False, help_text='By a manager; annotators do not see it')),
                ('known_label', models.CharField(blank=True, default='', help_text='The right label, where it is known', max_length=14)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotation.batch')),
                ('cluster', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='corpus.cluster')),
                ('pair', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='corpus.candidatepair')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('batch', 'pair'), name='item_pair_once'), models.UniqueConstraint(fields=('batch', 'cluster'), name='item_cluster_once'), models.UniqueConstraint(fields=('batch', 'number'), name='item_number'), models.CheckConstraint(condition=models.Q(models.Q(('cluster', None), ('pair__isnull', False)), models.Q(('cluster__isnull', False), ('pair', None)), _connector='OR'), name='item_subject')],
            },
        ),
        migrations.CreateModel(
            name='GoldSubclusters',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subclusters', models.JSONField()),
                ('versions', models.JSONField()),
                ('adjudication', models.JSONField(null=True)),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clusters', to='annotation.goldsubclusterset')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gold_subclusters', to='annotation.item')),
            ],
            options={
                'ordering': ['item__number'],
                'constraints': [models.UniqueConstraint(fields=('gold_set', 'item'), name='gold_subclusters_once')],
            },
        ),
        migrations.CreateModel(
            name='GoldJudgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.CharField(choices=[('paraphrase', 'Paraphrase'), ('not_paraphrase', 'Not a paraphrase'), ('partial', 'Partial paraphrase'), ('unrelated', 'Unrelated')], max_length=14)),
                ('votes', models.JSONField()),
                ('adjudication', models.JSONField(null=True)),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='annotation.goldset')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gold_judgements', to='annotation.item')),
            ],
            options={
                'ordering': ['item__batch_id', 'item__number'],
                'constraints': [models.UniqueConstraint(fields=('gold_set', 'item'), name='gold_judgement_once'), models.CheckConstraint(condition=models.Q(('label__in', ['paraphrase', 'not_paraphrase', 'partial', 'unrelated'])), name='gold_judgement_label')],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(help_text='Counts the changes, from 1.')),
                ('label', models.CharField(blank=True, choices=[('paraphrase', 'Paraphrase'), ('not_paraphrase', 'Not a paraphrase'), ('partial', 'Partial paraphrase'), ('unrelated', 'Unrelated')], max_length=14)),
                ('content', models.JSONField(help_text='Links or sub-clusters; empty where a label was decided', null=True)),
                ('comment', models.TextField(blank=True)),
                ('decided_at', models.DateTimeField(auto_now_add=True)),
                ('adjudicator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='annotation.item')),
            ],
            options={
                'ordering': ['item', 'version'],
                'constraints': [models.UniqueConstraint(fields=('item', 'version'), name='decision_version'), models.CheckConstraint(condition=models.Q(models.Q(('content__isnull', True), ('label__in', ['paraphrase', 'not_paraphrase', 'partial', 'unrelated'])), models.Q(('content__isnull', False), ('label', '')), _connector='OR'), name='decision_content')],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(help_text="Place in the annotator's queue, from 1; 0 if untaken")),
                ('leased_until', models.DateTimeField(help_text='After this another may take it, if unanswered', null=True)),
                ('state', models.CharField(choices=[('open', 'Open'), ('done', 'Done'), ('skipped', 'Skipped')], default='open', max_length=7)),
                ('version', models.PositiveIntegerField(default=0)),
                ('flagged', models.BooleanField(default=False)),
                ('comment', models.TextField(blank=True)),
                ('milliseconds', models.PositiveIntegerField(default=0, help_text='From display of the item to the answer')),
                ('answered_at', models.DateTimeField(null=True)),
                ('context_opened', models.BooleanField(default=False, help_text='Whether the annotator has looked at the sentences around the pair')),
                ('annotator', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.item')),
            ],
            options={
                'ordering': ['position'],
                'indexes': [models.Index(fields=['annotator', 'state', 'position'], name='assignment_queue')],
                'constraints': [models.UniqueConstraint(fields=('item', 'annotator'), name='assignment_once'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'done', 'skipped'])), name='assignment_state'), models.CheckConstraint(condition=models.Q(('annotator__isnull', False), models.Q(('state', 'open'), ('version', 0)), _connector='OR'), name='assignment_untaken')],
            },
        ),
        migrations.CreateModel(
            name='ItemHeadline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(help_text='Place in the item, from 1')),
                ('article', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corpus.article')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='headlines', to='annotation.item')),
            ],
            options={
                'ordering': ['item', 'number'],
                'constraints': [models.UniqueConstraint(fields=('item', 'article'), name='item_headline_once'), models.UniqueConstraint(fields=('item', 'number'), name='item_headline_number')],
            },
        ),
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.CharField(choices=[('paraphrase', 'Paraphrase'), ('not_paraphrase', 'Not a paraphrase'), ('partial', 'Partial paraphrase'), ('unrelated', 'Unrelated')], max_length=14)),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='judgement', to='annotation.assignment')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('label__in', ['paraphrase', 'not_paraphrase', 'partial', 'unrelated'])), name='judgement_label')],
            },
        ),
        migrations.CreateModel(
            name='KeyBindings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(choices=[('judge', 'Judging pairs'), ('link', 'Linking words'), ('review', 'Reviewing links'), ('split', 'Splitting clusters'), ('decide', 'Reviewing sub-clusters')], max_length=8)),
                ('keys', models.JSONField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='key_bindings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['user', 'page'],
                'constraints': [models.UniqueConstraint(fields=('user', 'page'), name='key_bindings_once'), models.CheckConstraint(condition=models.Q(('page__in', ['judge', 'link', 'review', 'split', 'decide'])), name='key_bindings_page')],
            },
        ),
        migrations.CreateModel(
            name='PairScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('decision', models.FloatField(help_text='Decision value of the classifier; a paraphrase from 0 on.')),
                ('probability', models.FloatField(help_text='Calibrated probability of a paraphrase, 0 to 1.')),
                ('pair', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corpus.candidatepair')),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='annotation.classifierrun')),
            ],
            options={
                'indexes': [models.Index(fields=['run', 'probability'], name='pair_score_by_probability')],
                'constraints': [models.UniqueConstraint(fields=('run', 'pair'), name='pair_score_once')],
            },
        ),
        migrations.CreateModel(
            name='PhenomenonCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phenomenon', models.CharField(choices=[('elaboration', 'Elaboration'), ('phrasal', 'Phrasal'), ('spelling', 'Spelling'), ('synonymy', 'Synonymy'), ('anaphora', 'Anaphora'), ('reordering', 'Reordering')], max_length=11)),
                ('count', models.PositiveSmallIntegerField()),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='phenomena', to='annotation.assignment')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('assignment', 'phenomenon'), name='phenomenon_once'), models.CheckConstraint(condition=models.Q(('phenomenon__in', ['elaboration', 'phrasal', 'spelling', 'synonymy', 'anaphora', 'reordering'])), name='phenomenon_name'), models.CheckConstraint(condition=models.Q(('count__lte', 99)), name='phenomenon_count')],
            },
        ),
        migrations.CreateModel(
            name='Placement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('group', models.PositiveSmallIntegerField(help_text='From 1; empty: in no group', null=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='annotation.assignment')),
                ('headline', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='annotation.itemheadline')),
            ],
            options={
                'ordering': ['assignment', 'headline__number'],
                'constraints': [models.UniqueConstraint(fields=('assignment', 'headline'), name='placement_once'), models.CheckConstraint(condition=models.Q(('group', None), ('group__gte', 1), _connector='OR'), name='placement_group')],
            },
        ),
        migrations.CreateModel(
            name='Pseudonym',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pseudonyms', to='projects.project')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('project', 'user'), name='pseudonym_user'), models.UniqueConstraint(fields=('project', 'number'), name='pseudonym_number')],
            },
        ),
        migrations.CreateModel(
            name='SecondPass',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('before', models.JSONField(help_text='Agreement, by figure')),
                ('after', models.JSONField(null=True)),
                ('signature', models.TextField()),
                ('batch', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='second_pass', to='annotation.batch')),
                ('started_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SecondLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('done', models.BooleanField(default=False)),
                ('first_label', models.CharField(blank=True, choices=[('paraphrase', 'Paraphrase'), ('not_paraphrase', 'Not a paraphrase'), ('partial', 'Partial paraphrase'), ('unrelated', 'Unrelated')], max_length=14)),
                ('label', models.CharField(blank=True, choices=[('paraphrase', 'Paraphrase'), ('not_paraphrase', 'Not a paraphrase'), ('partial', 'Partial paraphrase'), ('unrelated', 'Unrelated')], help_text='Empty: not yet', max_length=14)),
                ('links', models.JSONField(help_text='Empty for a judgement', null=True)),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='second_look', to='annotation.assignment')),
                ('second_pass', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='annotation.secondpass')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('first_label__in', ['paraphrase', 'not_paraphrase', 'partial', 'unrelated']), ('links__isnull', True)), models.Q(('first_label', ''), ('links__isnull', False)), _connector='OR'), name='second_look_first'), models.CheckConstraint(condition=models.Q(models.Q(('done', True), ('label__in', ['paraphrase', 'not_paraphrase', 'partial', 'unrelated']), ('links__isnull', True)), models.Q(('done', False), ('label', ''), ('links__isnull', True)), models.Q(('label', ''), ('links__isnull', False)), _connector='OR'), name='second_look_label')],
            },
        ),
        migrations.CreateModel(
            name='TrainedClassifier',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('imported_pairs', models.BinaryField(null=True)),
                ('imported_from', models.CharField(blank=True, help_text='Name and SHA-256 of the file that it was imported from; empty for others.', max_length=200)),
                ('name', models.CharField(max_length=80)),
                ('version', models.PositiveIntegerField()),
                ('parameters', models.JSONField()),
                ('model', models.BinaryField(null=True)),
                ('sha256', models.CharField(blank=True, help_text='SHA-256 of the model; empty until it is trained.', max_length=64)),
                ('figures', models.JSONField(default=dict, help_text='What cross-validation measured')),
                ('notes', models.JSONField(default=list, help_text='Feature classes that are off, each with the reason.')),
                ('signature', models.TextField(blank=True)),
                ('gold_set', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='classifiers', to='annotation.goldset')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='trained_classifier', to='jobs.job')),
                ('lexicon', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='classifiers', to='corpus.lexicon')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='classifiers', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('gold_set__isnull', False), ('imported_pairs__isnull', True)), models.Q(('gold_set__isnull', True), ('imported_pairs__isnull', False)), _connector='OR'), name='classifier_source'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name', 'version'), name='classifier_version')],
            },
        ),
        migrations.AddField(
            model_name='classifierrun',
            name='classifier',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='annotation.trainedclassifier'),
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField()),
                ('version', models.PositiveIntegerField(help_text='The version that this answer made')),
                ('body', models.JSONField()),
                ('body_sha256', models.CharField(blank=True, default='', help_text='Hash of the request', max_length=64)),
                ('response', models.JSONField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.assignment')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('assignment', 'key'), name='answer_idempotent'), models.UniqueConstraint(fields=('assignment', 'version'), name='answer_version')],
            },
        ),
        migrations.CreateModel(
            name='BatchAnnotator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('quota', models.PositiveIntegerField(help_text='Maximum number of items of the batch for this person; empty for no limit.', null=True)),
                ('paused', models.BooleanField(default=False, help_text='Whether the person gets no items until a manager resumes the work.')),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='annotators', to='annotation.batch')),
            ],
            options={
                'ordering': ['batch', 'annotator'],
                'constraints': [models.UniqueConstraint(fields=('batch', 'annotator'), name='batch_annotator_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('corpus_import', None), ('dataset__isnull', False), ('gold_set', None), ('kind', 'judge')), models.Q(('corpus_import', None), ('dataset', None), ('gold_set__isnull', False), ('kind', 'link')), models.Q(('corpus_import', None), ('dataset', None), ('gold_set', None), ('kind', 'split')), models.Q(('corpus_import__isnull', False), ('dataset', None), ('gold_set', None), ('kind__in', ['judge', 'link'])), models.Q(('dataset', None), ('gold_set', None), ('kind', 'judge'), ('threshold__isnull', False), ('trial', True)), _connector='OR'), name='batch_source'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('measure', ''), ('threshold', None)), models.Q(('measure__in', ['accuracy', 'kappa']), ('threshold__gte', 0), ('threshold__lte', 1), ('trial', True)), _connector='OR'), name='batch_training'),
        ),
        migrations.CreateModel(
            name='TrainingTry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text="Counts the person's tries, from 1.")),
                ('items', models.PositiveIntegerField(help_text='Answered pairs')),
                ('right', models.PositiveIntegerField(help_text='Pairs with the right answer')),
                ('value', models.FloatField(help_text='Value of the measure; empty where it is undefined', null=True)),
                ('passed', models.BooleanField()),
                ('ended_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tries', to='annotation.batch')),
            ],
            options={
                'ordering': ['batch', 'annotator', 'number'],
                'constraints': [models.UniqueConstraint(fields=('batch', 'annotator', 'number'), name='training_try_number')],
            },
        ),
        migrations.AddField(
            model_name='batch',
            name='third_judgement',
            field=models.BooleanField(default=False, help_text='Whether a pair gets a third annotator where its two annotators differ.'),
        ),
        migrations.AddField(
            model_name='batchannotator',
            name='competence',
            field=models.FloatField(help_text='Balanced accuracy, 0 to 1, estimated from earlier batches when the batch was drawn; empty if unknown. By it third judgements are assigned.', null=True),
        ),
        migrations.CreateModel(
            name='ModelAnnotator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('scorer', models.CharField(blank=True, help_text='Empty where another model answers.', max_length=40)),
                ('aligner', models.CharField(blank=True, help_text='As the `suggester` of a batch; empty for judgements.', max_length=40)),
                ('name', models.CharField(help_text='As pages and exports call it.', max_length=120)),
                ('parameters', models.JSONField(help_text='`price` of an answer, `settings` of a scorer or aligner; of judgements `threshold` and `partial_from`.')),
                ('signature', models.TextField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_annotators', to='annotation.batch')),
                ('classifier', models.ForeignKey(null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='annotators', to='annotation.trainedclassifier')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='model_annotator', to='jobs.job')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='goldset',
            name='model_annotators',
            field=models.ManyToManyField(help_text='Models whose answers counted as those of further annotators.', related_name='gold_sets', to='annotation.modelannotator'),
        ),
        migrations.CreateModel(
            name='ModelAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('label', models.CharField(blank=True, choices=[('paraphrase', 'Paraphrase'), ('not_paraphrase', 'Not a paraphrase'), ('partial', 'Partial paraphrase'), ('unrelated', 'Unrelated')], help_text='Empty: links, or the model failed.', max_length=14)),
                ('score', models.FloatField(help_text='What the label was made from; empty without a label.', null=True)),
                ('links', models.JSONField(help_text='[[a, b], ...] in order, all SURE; empty without links.', null=True)),
                ('seconds', models.FloatField(help_text='How long the answer took.')),
                ('problem', models.TextField(blank=True, help_text='Why there is no answer.')),
                ('annotator', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.modelannotator')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_answers', to='annotation.item')),
            ],
        ),
        migrations.AddConstraint(
            model_name='modelannotator',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('aligner', ''), ('classifier__isnull', False), ('scorer', '')), models.Q(('aligner', ''), ('classifier', None), models.Q(('scorer', ''), _negated=True)), models.Q(('classifier', None), ('scorer', ''), models.Q(('aligner', ''), _negated=True)), _connector='OR'), name='model_annotator_source'),
        ),
        migrations.AddConstraint(
            model_name='modelanswer',
            constraint=models.UniqueConstraint(fields=('annotator', 'item'), name='model_answer_once'),
        ),
        migrations.AddConstraint(
            model_name='modelanswer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('label__in', ['paraphrase', 'not_paraphrase', 'partial', 'unrelated']), ('links__isnull', True), ('problem', ''), ('score__isnull', False)), models.Q(('label', ''), ('links__isnull', False), ('problem', ''), ('score', None)), models.Q(('label', ''), ('links__isnull', True), ('score', None), models.Q(('problem', ''), _negated=True)), _connector='OR'), name='model_answer_or_problem'),
        ),
    ]
