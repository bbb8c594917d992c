import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [('alignment', '0001_initial'), ('alignment', '0007_remove_what_went'), ('alignment', '0008_the_bin')]

    dependencies = [
        ('annotation', '0001_squashed_0003_second_pass_of_links'),
        ('corpus', '0001_squashed_0004_remove_what_went'),
        ('jobs', '0001_initial'),
        ('projects', '0001_squashed_0003_delete_installationsettings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Experiment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=80)),
                ('test_sentences', models.BooleanField(help_text='Whether the sentences of the gold sets, never their links, are training text too.')),
                ('held_out_sentences', models.BooleanField(default=False, help_text='Whether these sentences include pairs of held-out clusters, which are left out of all other training text.')),
                ('comparisons', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='experiment', to='jobs.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='experiments', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name'), name='experiment_name')],
            },
        ),
        migrations.CreateModel(
            name='GoldAlignmentSet',
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
                ('rule', models.CharField(max_length=24)),
                ('lineage', models.JSONField(default=dict, help_text='Origin of the pairs and links.')),
                ('model_annotators', models.ManyToManyField(help_text='Models whose links counted as those of further annotators.', related_name='gold_links', to='annotation.modelannotator')),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gold_alignment_sets', to='annotation.batch')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_alignment_sets', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'set of gold links',
                'verbose_name_plural': 'sets of gold links',
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name', 'version'), name='gold_links_version')],
            },
        ),
        migrations.CreateModel(
            name='GoldAlignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('links', models.JSONField()),
                ('versions', models.JSONField()),
                ('adjudication', models.JSONField(null=True)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='gold_alignments', to='annotation.item')),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alignments', to='alignment.goldalignmentset')),
            ],
            options={
                'ordering': ['item__number'],
                'constraints': [models.UniqueConstraint(fields=('gold_set', 'item'), name='gold_alignment_once')],
            },
        ),
        migrations.CreateModel(
            name='ExperimentRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('aligner', models.CharField(help_text='Name of the aligner in the registry.', max_length=40)),
                ('learns_from_gold', models.BooleanField(default=False, help_text='Whether it is trained on gold links')),
                ('parameters', models.JSONField(default=dict, help_text='Values of the parameters by name.')),
                ('transfers', models.JSONField(default=list, help_text='What gold links said of the starting point and of other gold links')),
                ('pairs', models.PositiveIntegerField(default=0, help_text='How many sentence pairs of the dataset it is trained on.')),
                ('pairs_held_out', models.PositiveIntegerField(default=0, help_text='Pairs of held-out clusters that were left out of its training text.')),
                ('signature', models.TextField(blank=True)),
                ('dataset', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='experiment_rows', to='corpus.dataset')),
                ('experiment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='alignment.experiment')),
                ('other_gold', models.ManyToManyField(related_name='experiment_rows_besides', to='alignment.goldalignmentset')),
                ('taught_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='experiment_rows_taught', to='alignment.goldalignmentset')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('experiment', 'number'), name='experiment_row_once'), models.CheckConstraint(condition=models.Q(('taught_by', None), ('learns_from_gold', True), _connector='OR'), name='experiment_row_taught')],
            },
        ),
        migrations.CreateModel(
            name='ExperimentCell',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('links', models.JSONField()),
                ('counts', models.JSONField()),
                ('scores', models.JSONField()),
                ('errors', models.JSONField(default=list)),
                ('reasons', models.JSONField(default=dict)),
                ('row', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cells', to='alignment.experimentrow')),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='experiment_cells', to='alignment.goldalignmentset')),
            ],
            options={
                'ordering': ['row', 'gold_set'],
                'constraints': [models.UniqueConstraint(fields=('row', 'gold_set'), name='experiment_cell_once')],
            },
        ),
        migrations.AddField(
            model_name='experiment',
            name='gold_sets',
            field=models.ManyToManyField(related_name='experiments', to='alignment.goldalignmentset'),
        ),
        migrations.CreateModel(
            name='SuggestedLinks',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('setting', models.CharField(max_length=40)),
                ('signature', models.TextField()),
                ('links', models.JSONField()),
                ('reasons', models.JSONField(default=list)),
                ('drawn_at', models.DateTimeField(auto_now_add=True)),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='suggested_links', to='annotation.item')),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.UniqueConstraint(fields=('item', 'setting', 'signature'), name='suggested_links_once')],
            },
        ),
        migrations.CreateModel(
            name='Alignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('null_a', models.JSONField(default=list)),
                ('null_b', models.JSONField(default=list)),
                ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='alignment', to='annotation.assignment')),
                ('offered', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='alignment.suggestedlinks')),
            ],
        ),
        migrations.CreateModel(
            name='TrainedAligner',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=80)),
                ('version', models.PositiveIntegerField()),
                ('aligner', models.CharField(help_text='Name of the aligner in the registry.', max_length=40)),
                ('learns_from_gold', models.BooleanField(default=False, help_text='Whether it is trained on gold links')),
                ('parameters', models.JSONField(help_text='Values of the parameters by name.')),
                ('pairs', models.PositiveIntegerField(help_text='How many sentence pairs it is trained on.')),
                ('pairs_held_out', models.PositiveIntegerField(default=0, help_text='Pairs of held-out clusters that were left out of its training text.')),
                ('iterations', models.JSONField(default=list)),
                ('held_out', models.JSONField(default=dict)),
                ('learning_curve', models.JSONField(default=list)),
                ('transfers', models.JSONField(default=list, help_text='What gold links said of the starting point and of other gold links')),
                ('signature', models.TextField(blank=True)),
                ('sha256', models.CharField(blank=True, max_length=64)),
                ('bytes', models.PositiveBigIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('datasets', models.ManyToManyField(related_name='trained_aligners', to='corpus.dataset')),
                ('gold_set', models.ForeignKey(help_text='Gold links of the supervised step', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='taught', to='alignment.goldalignmentset')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='trained_aligner', to='jobs.job')),
                ('other_gold', models.ManyToManyField(help_text='Other gold links, used as far as they help on those of `gold_set`', related_name='taught_besides', to='alignment.goldalignmentset')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trained_aligners', to='projects.project')),
                ('texts', models.ManyToManyField(help_text='Gold links whose sentences, never their links, are training text too.', related_name='text_of', to='alignment.goldalignmentset')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('bytes', 0), ('sha256', '')), models.Q(models.Q(('sha256', ''), _negated=True), ('bytes__gt', 0)), _connector='OR'), name='trained_aligner_whole'), models.CheckConstraint(condition=models.Q(('gold_set', None), ('learns_from_gold', True), _connector='OR'), name='trained_aligner_gold'), models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'name', 'version'), name='trained_aligner_version')],
            },
        ),
        migrations.CreateModel(
            name='Evaluation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('aligner', models.CharField(max_length=40)),
                ('scores', models.JSONField()),
                ('signature', models.TextField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('gold_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='evaluations', to='alignment.goldalignmentset')),
                ('trained', models.ForeignKey(help_text='If it was one', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='evaluations', to='alignment.trainedaligner')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(fields=('gold_set', 'signature'), name='evaluation_once')],
            },
        ),
        migrations.CreateModel(
            name='AlignerRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('dataset', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='aligner_runs', to='corpus.dataset')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='aligner_run', to='jobs.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aligner_runs', to='projects.project')),
                ('gold_set', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='aligner_runs', to='alignment.goldalignmentset')),
                ('trained', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='alignment.trainedaligner')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('dataset', None), ('gold_set__isnull', False)), models.Q(('dataset__isnull', False), ('gold_set', None)), _connector='OR'), name='aligner_run_one_target'), models.UniqueConstraint(condition=models.Q(('dataset__isnull', False), ('deleted_at', None)), fields=('trained', 'dataset'), name='aligner_run_dataset_once'), models.UniqueConstraint(condition=models.Q(('deleted_at', None), ('gold_set__isnull', False)), fields=('trained', 'gold_set'), name='aligner_run_gold_once')],
            },
        ),
        migrations.CreateModel(
            name='WordLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('a', models.PositiveIntegerField()),
                ('b', models.PositiveIntegerField()),
                ('strength', models.CharField(choices=[('sure', 'Sure'), ('possible', 'Possible')], max_length=8)),
                ('origin', models.CharField(choices=[('drawn', 'Drawn'), ('accepted', 'Accepted suggestion'), ('imported', 'Imported')], default='drawn', max_length=8)),
                ('alignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='alignment.alignment')),
                ('suggested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='alignment.suggestedlinks')),
            ],
            options={
                'ordering': ['a', 'b'],
                'constraints': [models.UniqueConstraint(fields=('alignment', 'a', 'b'), name='word_link_once'), models.CheckConstraint(condition=models.Q(('strength__in', ['sure', 'possible'])), name='word_link_strength'), models.CheckConstraint(condition=models.Q(('origin__in', ['drawn', 'accepted', 'imported'])), name='word_link_origin'), models.CheckConstraint(condition=models.Q(('suggested_by', None), ('origin', 'accepted'), _connector='OR'), name='word_link_suggested')],
            },
        ),
        migrations.CreateModel(
            name='AutomaticAlignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('links', models.TextField(blank=True)),
                ('pair', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, related_name='automatic_alignments', to='corpus.candidatepair')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alignments', to='alignment.alignerrun')),
            ],
            options={
                'ordering': ['pair_id'],
                'constraints': [models.UniqueConstraint(fields=('run', 'pair'), name='automatic_alignment_once')],
            },
        ),
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('deleted_at', models.DateTimeField(editable=False, null=True)),
                ('name', models.CharField(max_length=120)),
                ('filename', models.CharField(max_length=255)),
                ('sha256', models.CharField(max_length=64)),
                ('bytes', models.PositiveBigIntegerField()),
                ('manifest', models.JSONField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exports', to='projects.project')),
                ('deleted_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('deleted_at', None)), fields=('project', 'sha256'), name='export_once')],
            },
        ),
    ]
